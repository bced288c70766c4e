#include "sunder/core/tensor_view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "sunder/core/error.hpp"

namespace sunder {

ModeIndices contiguous_strides(const Shape& shape, StorageOrder order) {
  ModeIndices strides{};
  Index stride = 1;
  for (int step = 0; step < shape.order(); ++step) {
    const int mode = order == StorageOrder::c ? shape.order() - 1 - step : step;
    strides[mode] = stride;
    stride *= shape[mode];
  }
  return strides;
}

TensorView::TensorView(const void* data, ScalarType type, const Shape& shape, StorageOrder order)
    : TensorView(data, type, shape, contiguous_strides(shape, order)) {}

TensorView::TensorView(const void* data, ScalarType type, const Shape& shape,
                       const ModeIndices& strides)
    : data_(data), type_(type), shape_(shape), strides_(strides) {}

double TensorView::operator()(std::span<const Index> index) const {
  Index offset = 0;
  for (int mode = 0; mode < order(); ++mode) {
    assert(index[mode] < shape_[mode]);
    offset += index[mode] * stride(mode);
  }
  return with_scalar_type(
      type_, [&]<class T>() -> double { return static_cast<double>(typed<T>()[offset]); });
}

TensorView TensorView::permuted(std::span<const int> modes) const {
  assert(static_cast<int>(modes.size()) == order());
  ModeIndices extents{};
  ModeIndices strides{};
  for (std::size_t to = 0; to < modes.size(); ++to) {
    extents[to] = shape_[modes[to]];
    strides[to] = stride(modes[to]);
  }
  return {data_, type_, Shape(std::span<const Index>(extents.data(), modes.size())), strides};
}

TensorView TensorView::slab(int mode, Index begin, Index end) const {
  assert(0 <= begin && begin <= end && end <= shape_[mode]);
  ModeIndices extents{};
  std::copy(shape_.begin(), shape_.end(), extents.begin());
  extents[mode] = end - begin;
  const auto* first = static_cast<const std::byte*>(data_) +
                      begin * stride(mode) * static_cast<Index>(size_of(type_));
  return {first, type_,
          Shape(std::span<const Index>(extents.data(), static_cast<std::size_t>(order()))),
          strides_};
}

std::array<int, max_order> TensorView::modes_by_stride() const {
  std::array<int, max_order> modes{};
  std::iota(modes.begin(), modes.end(), 0);
  // A mode of length 1 has no meaningful stride; the stable sort leaves it in place.
  std::stable_sort(modes.begin(), modes.begin() + order(),
                   [&](int a, int b) { return std::abs(stride(a)) > std::abs(stride(b)); });
  return modes;
}

TensorView TensorView::grouped(std::span<const int> modes) const {
  std::vector<int> members(modes.begin(), modes.end());
  std::sort(members.begin(), members.end());
  const bool valid = !members.empty() && members.front() >= 0 && members.back() < order() &&
                     std::adjacent_find(members.begin(), members.end()) == members.end();
  if (!valid) {
    throw InputError(fmt::format("cannot group modes {}: expected distinct modes from 0 to {}",
                                 fmt::join(modes, ","), order() - 1));
  }
  const int place = members.front();
  // A mode of length 1 is adjacent to any other, whatever its stride.
  std::erase_if(members, [&](int mode) { return shape_[mode] == 1; });
  if (members.empty()) members.push_back(place);
  std::stable_sort(members.begin(), members.end(),
                   [&](int a, int b) { return std::abs(stride(a)) > std::abs(stride(b)); });
  Index extent = 1;
  for (std::size_t k = 0; k < members.size(); ++k) {
    extent *= shape_[members[k]];
    if (k == 0) continue;
    const int inner = members[k];
    if (stride(members[k - 1]) != stride(inner) * shape_[inner]) {
      throw InputError(
          fmt::format("cannot group modes {}: they do not lie together in memory, so that a view "
                      "without a copy is impossible; group adjacent modes",
                      fmt::join(modes, ",")));
    }
  }
  std::vector<Index> extents;
  ModeIndices strides{};
  for (int mode = 0; mode < order(); ++mode) {
    const bool member = std::find(modes.begin(), modes.end(), mode) != modes.end();
    if (member && mode != place) continue;
    strides[extents.size()] = mode == place ? stride(members.back()) : stride(mode);
    extents.push_back(mode == place ? extent : shape_[mode]);
  }
  return {data_, type_, Shape(extents), strides};
}

}  // namespace sunder
