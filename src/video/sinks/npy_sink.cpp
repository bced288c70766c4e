#include "video/sinks/npy_sink.hpp"

#include <fmt/format.h>

#include <span>

#include "io/npy/npy_header.hpp"
#include "sunder/core/error.hpp"
#include "video/frames/frame_picture.hpp"

namespace sunder {

namespace {

// Room for four extents of any length.
constexpr std::size_t header_bytes = 192;

}  // namespace

NpySink::NpySink(const std::filesystem::path& path, const FrameFormat& format)
    : name_(path.string()),
      format_(format),
      file_(path),
      column_by_column_(static_cast<std::size_t>(format.bytes())) {
  write_header();
}

void NpySink::write_header() {
  const Shape shape = format_.channels == 1
                          ? Shape{format_.height, format_.width, frames_}
                          : Shape{format_.height, format_.width, format_.channels, frames_};
  const ScalarType type = format_.bits == 8 ? ScalarType::u8 : ScalarType::u16;
  const std::string header =
      format_npy_header(dtype_of(type), StorageOrder::fortran, shape, header_bytes);
  file_.write_values(std::span<const char>(header));
}

template <class Code>
void NpySink::write_transposed(const Code* codes) {
  auto* out = reinterpret_cast<Code*>(column_by_column_.data());
  for (Index c = 0; c < format_.channels; ++c) {
    for (Index j = 0; j < format_.width; ++j) {
      for (Index i = 0; i < format_.height; ++i) {
        *out++ = codes[(i * format_.width + j) * format_.channels + c];
      }
    }
  }
}

void NpySink::write(const Frame& frame) {
  require_frame_size(frame, format_);
  if (format_.bits == 8) {
    write_transposed(frame.codes8());
  } else {
    write_transposed(frame.codes16());
  }
  file_.write_values(std::span<const std::uint8_t>(column_by_column_));
  ++frames_;
}

void NpySink::finish() {
  if (frames_ == 0) throw WriteError(fmt::format("cannot write {}: there is no frame", name_));
  file_.seek(0);
  write_header();
  file_.commit();
}

}  // namespace sunder
