#pragma once
/// A dense tensor that owns its entries.

#include <cstdlib>
#include <memory>

#include "sunder/core/tensor_view.hpp"

namespace sunder {

/// Storage is contiguous, aligned to 64 bytes and initialised to zero. The type is movable but not
/// copyable: tensors are large, so a copy should be a deliberate decision (see copy_of).
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
  /// Returns the entries in storage order; T must be the tensor's own type.
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

/// Copies the entries of a view into a tensor of the same type, in C order.
DenseTensor copy_of(const TensorView& view);

}  // namespace sunder
