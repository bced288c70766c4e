#pragma once
/// A histogram that gives quantiles of |residual| without sorting and without another pass.

#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "sunder/core/shape.hpp"

namespace sunder {

/// Counts non-negative numbers in bins of equal ratio: sixteen per power of two, read from the
/// number's own exponent and leading bits. The error of a quantile is at most 1/32 of its value.
class LogHistogram {
 public:
  void add(double magnitude) { ++counts_[bin(magnitude)]; }
  void add(const LogHistogram& other);
  Index total() const;
  /// Returns one count per bin, so that histograms of several processes can be added.
  std::span<Index> counts() { return counts_; }
  /// Returns the value below which a share `q` of the numbers lies; 0 for an empty histogram.
  double quantile(double q) const;

 private:
  // 2^-126 .. 2^130 covers every plausible residual; numbers outside go to the first and last bins.
  static constexpr int sub_bits = 4;
  static constexpr std::int64_t first = (1023 - 126) << sub_bits;
  static constexpr std::size_t bins = std::size_t{256} << sub_bits;

  static std::size_t bin(double magnitude) {
    const auto key =
        static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(magnitude) >> (52 - sub_bits)) -
        first;
    if (key <= 0) return 0;
    return key < static_cast<std::int64_t>(bins) ? static_cast<std::size_t>(key) : bins - 1;
  }
  static double lower_edge(std::size_t bin);

  std::array<Index, bins> counts_{};
};

}  // namespace sunder
