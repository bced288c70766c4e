#pragma once
/// Neighbouring modes of a block, taken as one: the rows or the columns of a matrix of its entries.

#include <vector>

#include "algorithms/robust_cp/core/dense_core.hpp"
#include "algorithms/robust_cp/noise/model/likelihood.hpp"

namespace sunder::robust {

class ModeGroup {
 public:
  /// The modes from `first` to before `last`.
  ModeGroup(const Shape& shape, int first, int last);

  Index size() const { return size_; }

  /// The rows of the factors, multiplied: size x rank.
  RowMatrix products(const Factors& factors) const;
  /// The scales of the modes, multiplied.
  Vector scales(const std::vector<Vector>& of_mode) const;

  /// Adds to each mode what the group has collected: products of the tensor with the factors of all
  /// other modes outside the group (size x rank),
  void add_products(const RowMatrix& products, const Factors& factors, Factors& gradient) const;
  /// and sums over slices: score, weight, inliers, squares, observed (size x 5).
  void add_slices(const RowMatrix& sums, std::vector<SliceSums>& slices) const;

 private:
  /// Calls `work` with each position and its indices, those of mode m at [m].
  template <class Work>
  void for_each(Work work) const;

  Shape shape_;
  int first_;
  int last_;
  Index size_ = 1;
};

}  // namespace sunder::robust
