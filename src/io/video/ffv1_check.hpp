#pragma once
/// Checksums of FFV1, the codec of lossless archives and of our own lossless output.

#include <cstdint>
#include <span>

namespace sunder {

/// FFmpeg's decoder fills a slice whose checksum is wrong with the one of the frame before, and
/// says so to nobody. Whether a stream has checksums is coded within its header; the first packet
/// whose sums are right shows it too.
class Ffv1Check {
 public:
  /// Whether the packet of one frame is damaged, as far as the stream lets us know.
  bool damaged(std::span<const std::uint8_t> packet);

 private:
  bool has_sums_ = false;
};

}  // namespace sunder
