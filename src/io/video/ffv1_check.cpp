#include "io/video/ffv1_check.hpp"

#include "io/video/libav_functions.hpp"

namespace sunder {

namespace {

/// Each slice ends with its length (3 bytes), a status (1) and a checksum (4) that makes the sum
/// over all of it zero (RFC 9043, section 4.9).
bool sums_are_right(std::span<const std::uint8_t> packet) {
  constexpr std::size_t footer = 8;
  const AVCRC* const table = av_crc_get_table(AV_CRC_32_IEEE);
  while (!packet.empty()) {
    if (packet.size() < footer) return false;
    const std::uint8_t* const end = packet.data() + packet.size() - footer;
    const std::size_t length =
        footer + (std::size_t{end[0]} << 16 | std::size_t{end[1]} << 8 | std::size_t{end[2]});
    if (length > packet.size()) return false;
    if (av_crc(table, 0, packet.last(length).data(), length) != 0) return false;
    packet = packet.first(packet.size() - length);
  }
  return true;
}

}  // namespace

bool Ffv1Check::damaged(std::span<const std::uint8_t> packet) {
  const bool right = sums_are_right(packet);
  has_sums_ = has_sums_ || right;
  return has_sums_ && !right;
}

}  // namespace sunder
