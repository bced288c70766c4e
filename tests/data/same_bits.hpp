#pragma once
/// Equality of results to the last bit, NaN included.

#include <omp.h>

#include <algorithm>
#include <cstring>

#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/sparse_tensor.hpp"

namespace sunder::test {

inline bool same_bits(const DenseTensor& a, const DenseTensor& b) {
  return a.shape() == b.shape() && a.type() == b.type() &&
         std::memcmp(a.data(), b.data(), a.bytes()) == 0;
}

inline bool same_bits(const SparseTensor& a, const SparseTensor& b) {
  return std::ranges::equal(a.positions(), b.positions()) &&
         std::ranges::equal(a.values(), b.values());
}

/// What `make` returns when OpenMP uses that many threads.
template <class Make>
auto with_threads(int count, Make make) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(count);
  auto result = make();
  omp_set_num_threads(before);
  return result;
}

}  // namespace sunder::test
