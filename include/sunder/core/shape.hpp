#pragma once
/// The extents of a tensor's modes.

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

namespace sunder {

using Index = std::int64_t;

inline constexpr int min_order = 2;  ///< the smallest order that a decomposition accepts
inline constexpr int max_order = 8;  ///< the largest order of any tensor

/// One integer per mode (extents, strides, or an index), without allocation.
using ModeIndices = std::array<Index, max_order>;

/// The extents of 0 to 8 modes. The number of entries always fits in an Index.
class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<Index> extents);
  /// Throws InputError for more than 8 modes, a negative extent, or more than 2^59 entries.
  explicit Shape(std::span<const Index> extents);

  int order() const { return order_; }
  Index operator[](int mode) const { return extents_[mode]; }
  Index entries() const { return entries_; }

  const Index* begin() const { return extents_.data(); }
  const Index* end() const { return extents_.data() + order_; }

  /// Returns the position of an entry in C order, where the last mode runs fastest.
  Index linear(std::span<const Index> index) const;
  /// Inverts linear().
  ModeIndices unravel(Index linear) const;

  bool operator==(const Shape& other) const;

 private:
  ModeIndices extents_{};
  int order_ = 0;
  Index entries_ = 1;
};

/// Formats a shape as "100 x 80 x 60".
std::string to_string(const Shape& shape);

/// Throws InputError unless the shape can be decomposed: order 2 to 8, no empty mode.
void require_decomposable(const Shape& shape);

}  // namespace sunder
