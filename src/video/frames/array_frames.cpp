#include "video/frames/array_frames.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "sunder/core/error.hpp"
#include "video/frames/frame_size.hpp"
#include "video/frames/reduce_frame.hpp"
#include "video/frames/value_range.hpp"

namespace sunder {

namespace {

constexpr Index block_bytes = Index{64} << 20;
constexpr Index contiguous_block_bytes = Index{4} << 20;

}  // namespace

ArrayFrames::ArrayFrames(std::unique_ptr<TensorFile> file, std::string name,
                         const FrameOptions& options)
    : file_(std::move(file)), name_(std::move(name)), options_(options), range_(options) {
  const int order = file_->shape().order();
  find_modes(options.layout.empty() ? (order == 4 ? "hwct" : "hwt") : options.layout);
  choose_formats();
  if (range_.first >= frames_) {
    fail(fmt::format("it holds {} frames, and the range begins at frame {}; the first frame is 0",
                     frames_, range_.first));
  }
  if (!file_->slices(time_mode_)) whole_ = file_->load();
  position_ = range_.first;
}

void ArrayFrames::fail(const std::string& what) const {
  throw InputError(fmt::format("cannot read {} as a video: {}", name_, what));
}

void ArrayFrames::find_modes(const std::string& layout) {
  const Shape shape = file_->shape();
  if (shape.order() != static_cast<int>(layout.size())) {
    fail(
        fmt::format("its shape is {}, and the layout {} asks for {} modes; expected H x W x T or H "
                    "x W x C x T, or another layout given",
                    to_string(shape), layout, layout.size()));
  }
  row_mode_ = static_cast<int>(layout.find('h'));
  column_mode_ = static_cast<int>(layout.find('w'));
  channel_mode_ = layout.size() == 4 ? static_cast<int>(layout.find('c')) : -1;
  time_mode_ = static_cast<int>(layout.find('t'));
  frames_ = shape[time_mode_];
  if (shape.entries() == 0) {
    fail(fmt::format("it is empty ({}); not one frame is in it", to_string(shape)));
  }
  const Index channels = channel_mode_ < 0 ? 1 : shape[channel_mode_];
  if (channels != 1 && channels != 3) {
    fail(
        fmt::format("with the layout {} its shape {} has {} channels; expected 1 (grey) or 3 (red, "
                    "green, blue), or another layout given",
                    layout, to_string(shape), channels));
  }
  format_.height = shape[row_mode_];
  format_.width = shape[column_mode_];
  format_.channels = channels;
}

void ArrayFrames::choose_formats() {
  const bool bytes = file_->type() == ScalarType::u8 && !file_->boolean();
  format_.bits = bytes ? 8 : 16;
  if (!bytes && file_->type() != ScalarType::u16) {
    const ValueRange values = find_value_range(*file_, name_);
    format_.offset = values.least;
    // A constant array: every code is 0.
    format_.scale = values.most > values.least ? (values.most - values.least) / format_.peak() : 1;
  }
  target_ = format_;
  target_.height = scaled_extent(format_.height, options_.scale);
  target_.width = scaled_extent(format_.width, options_.scale);
  if (options_.grey) target_.channels = 1;
}

double ArrayFrames::frames_per_second() const {
  return options_.fps / static_cast<double>(range_.stride);
}

/// One frame after the other in the file: a small block will do.
Index ArrayFrames::block_length() const {
  const bool frames_together = file_->storage_order() == StorageOrder::c
                                   ? time_mode_ == 0
                                   : time_mode_ == file_->shape().order() - 1;
  const Index room = frames_together ? contiguous_block_bytes : block_bytes;
  const auto entry = static_cast<Index>(size_of(file_->type()));
  // HDF5 holds the entries besides the codes made of them.
  return std::clamp<Index>(room / (format_.values() * (entry + format_.bits / 8)), 1, frames_);
}

/// Whether the entries of a frame lie in the order of its codes.
bool ArrayFrames::row_by_row(const TensorView& block) const {
  const Index channels = format_.channels;
  return (channels == 1 || block.stride(channel_mode_) == 1) &&
         block.stride(column_mode_) == channels &&
         block.stride(row_mode_) == format_.width * channels;
}

template <class T, class Code, class CodeOf>
void ArrayFrames::gather_part(const TensorView& block, const Part& part, const CodeOf& code_of) {
  auto* const codes = reinterpret_cast<Code*>(block_.data());
  const Index time = block.stride(time_mode_);
  const Index channel = channel_mode_ < 0 ? 0 : block.stride(channel_mode_);
  Index value = part.row_begin * format_.width * format_.channels;
  for (Index row = part.row_begin; row < part.row_end; ++row) {
    for (Index column = 0; column < format_.width; ++column) {
      const T* entry =
          block.typed<T>() + row * block.stride(row_mode_) + column * block.stride(column_mode_);
      for (Index c = 0; c < format_.channels; ++c, ++value, entry += channel) {
        for (Index t = part.begin; t < part.end; ++t) {
          codes[t * format_.values() + value] = code_of(entry[t * time]);
        }
      }
    }
  }
}

/// In the order of the file: frame after frame, or, where time runs fastest, row after row.
template <class T, class Code, class CodeOf>
void ArrayFrames::gather(const TensorView& block, const CodeOf& code_of) {
  const Index count = block.shape()[time_mode_];
  if (block.modes_by_stride()[block.order() - 1] != time_mode_) {
    for (Index t = 0; t < count; ++t) {
      gather_part<T, Code>(block, {0, format_.height, t, t + 1}, code_of);
    }
    return;
  }
  // As many frames at a time as the processor can follow, each a stream of writes of its own.
  constexpr Index group = 64;
  for (Index row = 0; row < format_.height; ++row) {
    for (Index begin = 0; begin < count; begin += group) {
      gather_part<T, Code>(block, {row, row + 1, begin, std::min(count, begin + group)}, code_of);
    }
  }
}

template <class T>
void ArrayFrames::fill_block(const TensorView& block) {
  const bool codes = format_.scale == 1 && format_.offset == 0 &&
                     sizeof(T) * 8 == static_cast<std::size_t>(format_.bits) &&
                     std::is_unsigned_v<T>;
  if (codes && row_by_row(block)) {
    const auto bytes = static_cast<std::size_t>(format_.bytes());
    for (Index t = 0; t < block.shape()[time_mode_]; ++t) {
      std::memcpy(block_.data() + t * format_.bytes(),
                  block.typed<T>() + t * block.stride(time_mode_), bytes);
    }
  } else if (format_.bits == 8) {
    gather<T, std::uint8_t>(block, [](T entry) { return static_cast<std::uint8_t>(entry); });
  } else if (codes) {
    gather<T, std::uint16_t>(block, [](T entry) { return static_cast<std::uint16_t>(entry); });
  } else {
    gather<T, std::uint16_t>(block, [this](T entry) {
      const double code = (static_cast<double>(entry) - format_.offset) / format_.scale;
      return static_cast<std::uint16_t>(std::clamp(std::nearbyint(code), 0.0, format_.peak()));
    });
  }
}

void ArrayFrames::load_block() {
  const Index end = std::min(range_.last, frames_);
  block_begin_ = position_;
  block_end_ = std::min(end, position_ + block_length());
  const LoadedTensor part =
      whole_ ? LoadedTensor{whole_->view.slab(time_mode_, block_begin_, block_end_), whole_->owner}
             : file_->load_slab(time_mode_, block_begin_, block_end_);
  block_.resize((block_end_ - block_begin_) * format_.bytes());
  with_scalar_type(part.view.type(), [&]<class T>() { fill_block<T>(part.view); });
}

bool ArrayFrames::next(Frame& frame) {
  if (position_ >= std::min(range_.last, frames_) || (options_.stop && options_.stop())) {
    return false;
  }
  if (position_ < block_begin_ || position_ >= block_end_) load_block();
  const std::uint8_t* const codes = block_.data() + (position_ - block_begin_) * format_.bytes();
  position_ += range_.stride;
  reduce_frame(codes, format_, target_, frame);
  return true;
}

bool ArrayFrames::rewind() {
  position_ = range_.first;
  return true;
}

}  // namespace sunder
