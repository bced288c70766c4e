#pragma once
/// A read-only view of the entries of a tensor that the caller owns.

#include <span>

#include "sunder/core/scalar_type.hpp"
#include "sunder/core/shape.hpp"

namespace sunder {

/// Which mode is contiguous in memory: the last (C, NumPy) or the first (Fortran, MATLAB).
enum class StorageOrder { c, fortran };

/// A pointer with type, shape and strides; cheap to copy and passed by value. The caller keeps the
/// memory alive. Missing entries are NaN, which only floating-point storage can hold.
class TensorView {
 public:
  TensorView() = default;
  TensorView(const void* data, ScalarType type, const Shape& shape,
             StorageOrder order = StorageOrder::c);
  /// Strides count elements, one stride per mode; they may be zero or negative.
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
  Index stride(int mode) const { return strides_[mode]; }

  /// Returns one entry as a double. Meant for tests and small work; loops should use typed().
  double operator()(std::span<const Index> index) const;
  double operator()(std::initializer_list<Index> index) const {
    return (*this)(std::span<const Index>(index.begin(), index.size()));
  }

  /// Returns a pointer to the first entry; T must be the tensor's own type.
  template <class T>
  const T* typed() const {
    return static_cast<const T*>(data_);
  }

  /// Returns the same entries with the modes reordered: mode m of the result is modes[m] here.
  TensorView permuted(std::span<const int> modes) const;

  /// Restricts one mode to the indices [begin, end).
  TensorView slab(int mode, Index begin, Index end) const;

  /// Merges several modes into one without a copy (H x W x T video as pixels x T). The new mode
  /// takes the place of the smallest mode number among them. Its index runs in storage order, the
  /// mode with the smallest stride fastest, so in C order it equals that of numpy.reshape. Throws
  /// InputError if the modes are not adjacent in memory.
  TensorView grouped(std::span<const int> modes) const;

  /// Returns the modes from the largest stride to the smallest, the order in which to walk memory.
  std::array<int, max_order> modes_by_stride() const;

 private:
  const void* data_ = nullptr;
  ScalarType type_ = ScalarType::f64;
  Shape shape_;
  ModeIndices strides_{};
};

/// Returns the strides, in elements, of a contiguous tensor.
ModeIndices contiguous_strides(const Shape& shape, StorageOrder order);

}  // namespace sunder
