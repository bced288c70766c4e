#include "sunder/core/dense_tensor.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>

namespace sunder {

namespace {

constexpr std::size_t cache_line = 64;  // also the size of the widest vector register
constexpr std::size_t huge_page = std::size_t{2} << 20;

/// Zeroes memory with several threads: the system clears each page on first touch, which takes
/// longer than most passes over it.
void touch(char* memory, std::size_t size) {
  const auto pieces = static_cast<std::int64_t>((size + huge_page - 1) / huge_page);
#pragma omp parallel for schedule(static) if (pieces > 8)
  for (std::int64_t piece = 0; piece < pieces; ++piece) {
    const std::size_t begin = static_cast<std::size_t>(piece) * huge_page;
    std::memset(memory + begin, 0, std::min(huge_page, size - begin));
  }
}

}  // namespace

DenseTensor::DenseTensor(const Shape& shape, ScalarType type, StorageOrder order)
    : shape_(shape), type_(type), order_(order) {
  // Large tensors use huge pages. Two cores read 43 GB/s from them and 23 GB/s from small pages,
  // where address translation stalls the loads.
  const bool large = static_cast<std::size_t>(entries()) >= 2 * huge_page / size_of(type_);
  const std::size_t alignment = large ? huge_page : cache_line;
  const std::size_t size = (bytes() / alignment + 1) * alignment;
  data_.reset(std::aligned_alloc(alignment, size));
  if (!data_) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  if (large) madvise(data_.get(), size, MADV_HUGEPAGE);  // only advice: a refusal costs speed alone
#endif
  touch(static_cast<char*>(data_.get()), size);
}

DenseTensor copy_of(const TensorView& view) {
  const Shape& shape = view.shape();
  DenseTensor copy(shape, view.type());
  if (shape.entries() == 0) return copy;
  const Index length = shape.order() > 0 ? shape[shape.order() - 1] : 1;
  const Index step = shape.order() > 0 ? view.stride(shape.order() - 1) : 1;
  with_scalar_type(view.type(), [&]<class T>() {
    T* out = copy.typed<T>().data();
    for (Index row = 0; row < shape.entries() / length; ++row) {
      const ModeIndices index = shape.unravel(row * length);
      const T* from = view.typed<T>();
      for (int mode = 0; mode < shape.order(); ++mode) {
        from += index[mode] * view.stride(mode);
      }
      for (Index k = 0; k < length; ++k) *out++ = from[k * step];
    }
  });
  return copy;
}

}  // namespace sunder
