#pragma once
/// A read-only look at numbers that somebody else owns.

#include <span>

#include "sunder/core/scalar_type.hpp"
#include "sunder/core/shape.hpp"

namespace sunder {

/// Which mode is contiguous in memory: the last (C, NumPy) or the first (Fortran, MATLAB).
enum class StorageOrder { c, fortran };

/// Pointer, type, shape and strides. Cheap to copy; passed by value. The caller keeps the memory
/// alive. Missing entries are NaN (floating-point storage only).
class TensorView {
 public:
  TensorView() = default;
  TensorView(const void* data, ScalarType type, const Shape& shape,
             StorageOrder order = StorageOrder::c);
  /// Strides are in elements, one per mode, and may be zero or negative.
  TensorView(const void* data, ScalarType type, const Shape& shape, const ModeIndices& strides);

  template <class T>
  static TensorView of(const T* data, const Shape& shape, StorageOrder order = StorageOrder::c) {
    return {data, scalar_type_of<T>(), shape, order};
  }

  const void* data() const { return data_; }
  ScalarType type() const { return type_; }
  const Shape& shape() const { return shape_; }
  int order() const { return shape_.order(); }
  Index entries() const { return shape_.entries(); }
  Index stride(int mode) const { return strides_[static_cast<std::size_t>(mode)]; }

  /// One entry, widened. For tests and small work; loops go through typed().
  double operator()(std::span<const Index> index) const;
  double operator()(std::initializer_list<Index> index) const {
    return (*this)(std::span<const Index>(index.begin(), index.size()));
  }

  /// The first entry as its own type, which must be T.
  template <class T>
  const T* typed() const {
    return static_cast<const T*>(data_);
  }

  /// The same entries with the modes in another order: mode m of the result is modes[m] here.
  TensorView permuted(std::span<const int> modes) const;

  /// Indices [begin, end) of one mode.
  TensorView slab(int mode, Index begin, Index end) const;

  /// Several modes seen as one, without a copy (H x W x T video as pixels x T). The new mode takes
  /// the place of the smallest of them. Its index runs in storage order, the mode with the
  /// smallest stride fastest, so in C order it is that of numpy.reshape. Throws InputError when
  /// the modes do not lie together in memory.
  TensorView grouped(std::span<const int> modes) const;

  /// Modes from the largest stride to the smallest: the order in which to walk the memory.
  std::array<int, max_order> modes_by_stride() const;

 private:
  const void* data_ = nullptr;
  ScalarType type_ = ScalarType::f64;
  Shape shape_;
  ModeIndices strides_{};
};

/// Strides, in elements, of a contiguous tensor.
ModeIndices contiguous_strides(const Shape& shape, StorageOrder order);

}  // namespace sunder
