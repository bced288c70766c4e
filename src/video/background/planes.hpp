#pragma once
/// A frame taken apart into one plane of codes for each channel.

#include <array>
#include <cstdint>
#include <vector>

#include "sunder/video/frame.hpp"
#include "video/background/pixel_kernels.hpp"

namespace sunder {

/// Refers to the codes of a grey frame where they are, and holds a copy of those of a colour frame.
template <class Code>
class Planes {
 public:
  /// Takes a frame apart. The frame must live as long as the planes are used.
  void take(const Frame& frame, const FrameFormat& format) {
    const auto* codes = reinterpret_cast<const Code*>(frame.bytes.data());
    if (format.channels == 1) {
      planes_[0] = codes;
      return;
    }
    const auto pixels = static_cast<std::size_t>(format.pixels());
    copy_.resize(3 * pixels);
    Code* const parts[3] = {copy_.data(), copy_.data() + pixels, copy_.data() + 2 * pixels};
    kernels::split_channels(codes, parts, format.pixels());
    planes_ = {parts[0], parts[1], parts[2]};
  }
  const Code* operator[](Index channel) const { return planes_[channel]; }

 private:
  std::array<const Code*, 3> planes_{};
  std::vector<Code> copy_;
};

}  // namespace sunder
