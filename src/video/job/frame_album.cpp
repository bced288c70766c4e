#include "video/job/frame_album.hpp"

#include <algorithm>

namespace sunder {

namespace {

constexpr Index longest_side = 200;  // of a picture
constexpr std::size_t most_pictures = 60;
constexpr std::size_t album_bytes = 2'600'000;  // before encoding; the page stays below 5 MB

}  // namespace

FrameAlbum::FrameAlbum(const FrameFormat& format)
    : format_(format),
      step_((std::max(format.height, format.width) + longest_side - 1) / longest_side),
      rows_(std::max<Index>(1, format.height / step_)),
      columns_(std::max<Index>(1, format.width / step_)),
      most_(std::clamp<std::size_t>(album_bytes / static_cast<std::size_t>(3 * rows_ * columns_), 8,
                                    most_pictures)) {}

std::vector<float> FrameAlbum::reduced(const Frame& frame) const {
  std::vector<float> small(rows_ * columns_, 0.0F);
  const double unit = 255 / format_.peak() / static_cast<double>(step_ * step_ * format_.channels);
  for (Index i = 0; i < rows_ * step_ && i < format_.height; ++i) {
    for (Index j = 0; j < columns_ * step_ && j < format_.width; ++j) {
      double sum = 0;
      for (Index c = 0; c < format_.channels; ++c) {
        const auto k = static_cast<std::size_t>((i * format_.width + j) * format_.channels + c);
        sum += format_.bits == 8 ? frame.codes8()[k] : frame.codes16()[k];
      }
      small[i / step_ * columns_ + j / step_] += static_cast<float>(unit * sum);
    }
  }
  return small;
}

void FrameAlbum::add(Index number, const Frame& frame, const Frame& background,
                     const std::vector<std::uint8_t>& mask) {
  Picture picture;
  picture.number = number;
  picture.frame = reduced(frame);
  picture.background = reduced(background);
  picture.mask.resize(picture.frame.size());
  for (Index i = 0; i < rows_; ++i) {
    for (Index j = 0; j < columns_; ++j) {
      const auto from = static_cast<std::size_t>((i * step_) * format_.width + j * step_);
      picture.mask[i * columns_ + j] = mask[from] != 0 ? 1.0F : 0.0F;
    }
  }
  pictures_.push_back(std::move(picture));
  if (pictures_.size() <= most_) return;
  stride_ *= 2;
  std::erase_if(pictures_, [&](const Picture& one) { return one.number % stride_ != 0; });
}

}  // namespace sunder
