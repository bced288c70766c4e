#include "sunder/core/dense_tensor.hpp"

#include <cstring>
#include <limits>
#include <new>

namespace sunder {

DenseTensor::DenseTensor(const Shape& shape, ScalarType type, StorageOrder order)
    : shape_(shape), type_(type), order_(order) {
  constexpr std::size_t alignment = 64;  // a cache line, and the widest vector register
  // A shape may have up to 2^62 entries, whose bytes do not fit in a size_t.
  const auto addressable = static_cast<std::size_t>(std::numeric_limits<Index>::max());
  if (static_cast<std::size_t>(entries()) > (addressable - alignment) / size_of(type_)) {
    throw std::bad_alloc();
  }
  const std::size_t size = (bytes() / alignment + 1) * alignment;
  data_.reset(std::aligned_alloc(alignment, size));
  if (!data_) throw std::bad_alloc();
  std::memset(data_.get(), 0, size);
}

}  // namespace sunder
