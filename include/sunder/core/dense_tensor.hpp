#pragma once
/// A tensor that owns its numbers.

#include <cstdlib>
#include <memory>

#include "sunder/core/tensor_view.hpp"

namespace sunder {

/// Contiguous, 64-byte aligned, zero at first. Movable, not copyable: tensors are large, and a copy
/// should be a decision.
class DenseTensor {
 public:
  DenseTensor() = default;
  explicit DenseTensor(const Shape& shape, ScalarType type = ScalarType::f64,
                       StorageOrder order = StorageOrder::c);

  const Shape& shape() const { return shape_; }
  ScalarType type() const { return type_; }
  StorageOrder storage_order() const { return order_; }
  Index entries() const { return shape_.entries(); }
  std::size_t bytes() const { return static_cast<std::size_t>(entries()) * size_of(type_); }

  const void* data() const { return data_.get(); }
  void* data() { return data_.get(); }
  /// The entries in storage order; T must be the tensor's own type.
  template <class T>
  std::span<T> typed() {
    return {static_cast<T*>(data_.get()), static_cast<std::size_t>(entries())};
  }
  template <class T>
  std::span<const T> typed() const {
    return {static_cast<const T*>(data_.get()), static_cast<std::size_t>(entries())};
  }

  TensorView view() const { return {data_.get(), type_, shape_, order_}; }

 private:
  struct Free {
    void operator()(void* memory) const { std::free(memory); }  // NOLINT: pairs with aligned_alloc
  };
  Shape shape_;
  ScalarType type_ = ScalarType::f64;
  StorageOrder order_ = StorageOrder::c;
  std::unique_ptr<void, Free> data_;
};

/// The entries of a view in C order, of the same type.
DenseTensor copy_of(const TensorView& view);

}  // namespace sunder
