#pragma once
/// A grid over residuals: fine around zero, and a fixed number of bins for each doubling far out,
/// so that one table serves noise and gross errors alike.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace sunder::robust {

class ResidualBins {
 public:
  /// Bins for each doubling of 1 + |R| / unit: each is a sixteenth of its distance from zero wide,
  /// which is about what the prototype's asinh grid had.
  static constexpr int per_octave_bits = 4;
  static constexpr int per_side = 192;  ///< reaches 2^12 units
  static constexpr int count = 2 * per_side;

  explicit ResidualBins(double unit = 1) : unit_(unit), inverse_(1 / unit) {}

  double unit() const { return unit_; }

  /// The bin of a residual. The exponent and the first bits of the mantissa of 1 + |R| / unit are a
  /// logarithm that is linear within each octave.
  int of(double residual) const {
    constexpr int shift = 23 - per_octave_bits;
    const auto x = static_cast<float>(1 + std::abs(residual) * inverse_);
    const auto steps = static_cast<std::int64_t>(
        (std::bit_cast<std::uint32_t>(x) - std::bit_cast<std::uint32_t>(1.0F)) >> shift);
    const int k = static_cast<int>(std::min<std::int64_t>(steps, per_side - 1));
    return residual < 0 ? per_side - 1 - k : per_side + k;
  }

  /// The lower edge of a bin; the upper one is that of the next.
  double edge(int bin) const {
    const int k = std::abs(bin - per_side);
    constexpr int steps = 1 << per_octave_bits;
    const double size = std::ldexp(1.0 + static_cast<double>(k % steps) / steps, k / steps) - 1;
    return bin < per_side ? -size * unit_ : size * unit_;
  }
  double width(int bin) const { return edge(bin + 1) - edge(bin); }
  double middle(int bin) const { return (edge(bin) + edge(bin + 1)) / 2; }

 private:
  double unit_;
  double inverse_;
};

}  // namespace sunder::robust
