#include "algorithms/run/double_entries.hpp"

#include <omp.h>

#include "core/region_failure.hpp"

namespace sunder {

namespace {

bool is_in_c_order(const TensorView& tensor) {
  const ModeIndices strides = contiguous_strides(tensor.shape(), StorageOrder::c);
  for (int mode = 0; mode < tensor.order(); ++mode) {
    if (tensor.shape()[mode] > 1 && tensor.stride(mode) != strides[mode]) {
      return false;
    }
  }
  return true;
}

template <class T>
void widen(const TensorView& tensor, std::span<double> out) {
  const int last = tensor.order() - 1;
  const Index length = tensor.shape()[last];
  const Index step = tensor.stride(last);
  for (Index row = 0; row < tensor.entries() / length; ++row) {
    const ModeIndices index = tensor.shape().unravel(row * length);
    Index offset = 0;
    for (int mode = 0; mode <= last; ++mode) {
      offset += index[mode] * tensor.stride(mode);
    }
    const T* from = tensor.typed<T>() + offset;
    for (Index k = 0; k < length; ++k) {
      out[row * length + k] = static_cast<double>(from[k * step]);
    }
  }
}

}  // namespace

DoubleEntries::DoubleEntries(const TensorView& tensor) {
  if (tensor.type() == ScalarType::f64 && is_in_c_order(tensor)) {
    entries_ = {tensor.typed<double>(), static_cast<std::size_t>(tensor.entries())};
    return;
  }
  copy_ = DenseTensor(tensor.shape());
  with_scalar_type(tensor.type(), [&]<class T>() { widen<T>(tensor, copy_.typed<double>()); });
  entries_ = copy_.typed<double>();
}

void for_each_piece(Index count, int threads, const std::function<void(Index)>& work) {
  const int team = threads > 0 ? threads : omp_get_num_procs();
  RegionFailure failure;
#pragma omp parallel for schedule(static) num_threads(team) if (count > 1)
  for (Index piece = 0; piece < count; ++piece) failure.guard([&] { work(piece); });
  failure.rethrow();
}

}  // namespace sunder
