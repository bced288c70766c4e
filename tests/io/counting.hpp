#pragma once

#include <numeric>

#include "sunder/core/dense_tensor.hpp"

namespace sunder::testing {

/// The entry at position p in storage order is p + 1.
inline DenseTensor counting(const Shape& shape, ScalarType type,
                            StorageOrder order = StorageOrder::c) {
  DenseTensor tensor(shape, type, order);
  with_scalar_type(type, [&]<class T>() {
    std::iota(tensor.typed<T>().begin(), tensor.typed<T>().end(), static_cast<T>(1));
  });
  return tensor;
}

}  // namespace sunder::testing
