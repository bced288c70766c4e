#include "io/video/video_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/files/mapped_file.hpp"
#include "io/files/memory.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

VideoFile::VideoFile(const std::filesystem::path& path) : path_(path) {
  require_readable_file(path);
  const VideoReader reader(path);
  codec_ = reader.codec();
  const Index frames = reader.count_frames();
  if (frames == 0) {
    throw InputError(fmt::format("cannot read the video {}: it holds no frame", path.string()));
  }
  // The number may be what the header says; a frame takes a byte at least.
  const auto bytes = static_cast<Index>(std::filesystem::file_size(path));
  if (frames > bytes) {
    throw InputError(fmt::format(
        "cannot read the video {}: it promises {} frames in {} bytes; it is damaged, copy or "
        "convert it again",
        path.string(), frames, bytes));
  }
  shape_ = reader.channels() == 1
               ? Shape{reader.height(), reader.width(), frames}
               : Shape{reader.height(), reader.width(), reader.channels(), frames};
}

std::string VideoFile::format() const { return fmt::format("video ({})", codec_); }

TensorView VideoFile::view_of(const void* frames, Index count) const {
  const int time = shape_.order() - 1;
  const Shape shape = with_extent(shape_, time, count);
  const Shape frame = with_extent(shape_, time, 1);
  ModeIndices strides = contiguous_strides(frame, StorageOrder::c);
  strides[static_cast<std::size_t>(time)] = frame.entries();
  return {frames, ScalarType::u8, shape, strides};
}

void VideoFile::read_frame(VideoReader& reader, Index time, void* out) const {
  const auto bytes = static_cast<std::size_t>(reader.frame_bytes());
  if (reader.next_frame({static_cast<std::uint8_t*>(out), bytes})) return;
  throw InputError(fmt::format(
      "cannot read the video {}: it promises {} frames, but {} could be decoded; it is cut off or "
      "damaged, copy or convert it again",
      path_.string(), shape_[shape_.order() - 1], time));
}

LoadedTensor VideoFile::load() const {
  require_memory(shape_, type(), path_.string());
  VideoReader reader(path_);
  const auto memory = std::make_shared<DenseTensor>(shape_, type());
  auto* const first = static_cast<std::uint8_t*>(memory->data());
  const Index frames = shape_[shape_.order() - 1];
  for (Index time = 0; time < frames; ++time) {
    read_frame(reader, time, first + time * reader.frame_bytes());
  }
  return {view_of(first, frames), memory};
}

void VideoFile::scan(const std::function<Continue(const TensorView& slab)>& visit) const {
  VideoReader reader(path_);
  const int mode = shape_.order() - 1;
  const Index length = slab_length(shape_, type(), mode);
  require_memory(with_extent(shape_, mode, length), type(), path_.string());
  DenseTensor memory(with_extent(shape_, mode, length), type());
  auto* const first = static_cast<std::uint8_t*>(memory.data());
  for (Index begin = 0; begin < shape_[mode]; begin += length) {
    const Index count = std::min(length, shape_[mode] - begin);
    for (Index k = 0; k < count; ++k) {
      read_frame(reader, begin + k, first + k * reader.frame_bytes());
    }
    if (visit(view_of(first, count)) == Continue::cancel) return;
  }
}

}  // namespace sunder
