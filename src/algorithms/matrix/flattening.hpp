#pragma once
/// A tensor as one matrix (its flattening along a mode) or as many (its slices).

#include <array>
#include <vector>

#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/sparse_tensor.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder {

/// Rows are the indices of one mode; a column is a combination of indices of all the others, of
/// which the last listed runs fastest.
struct FlatteningLayout {
  Shape shape;                    ///< of the tensor
  int row_mode = 0;               ///< the mode whose indices are the rows
  std::vector<int> column_modes;  ///< the other modes, slowest first

  Shape matrix_shape() const;
  /// The position in the tensor, in C order, of an entry of the matrix.
  Index position(Index row, Index column) const;
};

/// The matrix is a view of the tensor where the other modes are contiguous in memory, as they are
/// beside the first and the last mode of a contiguous tensor. Otherwise it is a view of a copy, as
/// large as the tensor, with the modes in another order.
class Flattening {
 public:
  Flattening(const TensorView& tensor, int row_mode);

  const FlatteningLayout& layout() const { return layout_; }
  const TensorView& matrix() const { return matrix_; }
  bool copied() const { return copy_.data() != nullptr; }

 private:
  FlatteningLayout layout_;
  DenseTensor copy_;
  TensorView matrix_;
};

/// The matrices over two modes, one for each combination of indices of the others, numbered in C
/// order (the last mode runs fastest).
struct SliceLayout {
  Shape shape;                 ///< of the tensor
  std::array<int, 2> modes{};  ///< rows and columns of a slice

  Index slices() const { return shape.entries() / (shape[modes[0]] * shape[modes[1]]); }
  Shape slice_shape() const { return {shape[modes[0]], shape[modes[1]]}; }
  /// Index of each mode at the slice's first entry.
  ModeIndices corner(Index slice) const;
  /// The position in the tensor, in C order, of an entry of a slice.
  Index position(Index slice, Index row, Index column) const;
};

/// One slice as a view with the strides of the tensor.
TensorView slice_view(const TensorView& tensor, const SliceLayout& layout, Index slice);

}  // namespace sunder
