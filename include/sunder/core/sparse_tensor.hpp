#pragma once
/// The sparse part S, stored as the positions and values of its non-zero entries.

#include <span>
#include <vector>

#include "sunder/core/shape.hpp"

namespace sunder {

/// Each entry is a pair (position in C order, value) of 16 bytes, whatever the order of the tensor.
/// Entries are sorted by position.
class SparseTensor {
 public:
  SparseTensor() = default;
  explicit SparseTensor(const Shape& shape) : shape_(shape) {}
  /// Sorts the entries. Throws InputError for a position that is outside the shape or given twice.
  SparseTensor(const Shape& shape, std::vector<Index> positions, std::vector<double> values);

  const Shape& shape() const { return shape_; }
  Index count() const { return std::ssize(positions_); }
  std::span<const Index> positions() const { return positions_; }
  std::span<const double> values() const { return values_; }
  ModeIndices coordinates(Index k) const { return shape_.unravel(positions_[k]); }
  double norm() const;

 private:
  Shape shape_;
  std::vector<Index> positions_;
  std::vector<double> values_;
};

/// Precision and recall of an estimated support.
struct SupportScore {
  double precision = 1;  ///< share of the found entries that are true; 1 if none were found
  double recall = 1;     ///< share of the true entries that were found; 1 if there are none
};
SupportScore compare_support(const SparseTensor& found, const SparseTensor& truth);

}  // namespace sunder
