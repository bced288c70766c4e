#include "sunder/io/tensor_slices.hpp"

#include <algorithm>
#include <cstring>

#include "io/files/memory.hpp"
#include "sunder/core/dense_tensor.hpp"

namespace sunder {

namespace {

using Visit = std::function<Continue(const TensorView& slice, Index number)>;

/// Visits the slices of a block; `first` is the number of its first slice.
Continue visit_block(const TensorView& block, Index first, const Visit& visit) {
  for (Index k = 0; k < block.shape()[block.order() - 1]; ++k) {
    if (visit(last_mode_slice(block, k), first + k) == Continue::cancel) return Continue::cancel;
  }
  return Continue::yes;
}

/// Reads the slices [begin, begin + count), gathered from slabs along the first mode.
DenseTensor read_block(const TensorFile& file, Index begin, Index count) {
  const int last = file.shape().order() - 1;
  DenseTensor block(with_extent(file.shape(), last, count), file.type());
  auto* to = static_cast<std::byte*>(block.data());
  file.scan([&](const TensorView& slab) {
    const DenseTensor part = copy_of(slab.slab(last, begin, begin + count));
    std::memcpy(to, part.data(), part.bytes());
    to += part.bytes();
    return Continue::yes;
  });
  return block;
}

}  // namespace

TensorView last_mode_slice(const TensorView& tensor, Index at) {
  const int last = tensor.order() - 1;
  const TensorView slab = tensor.slab(last, at, at + 1);
  ModeIndices strides{};
  for (int mode = 0; mode < last; ++mode) {
    strides[mode] = slab.stride(mode);
  }
  const Shape shape(std::span<const Index>(slab.shape().begin(), static_cast<std::size_t>(last)));
  return {slab.data(), slab.type(), shape, strides};
}

void scan_slices(const TensorFile& file, const Visit& visit) {
  const Shape shape = file.shape();
  const int last = shape.order() - 1;
  Index next = 0;
  bool whole = true;  // true while the slabs consist of whole slices
  file.scan([&](const TensorView& slab) {
    whole = slab.entries() / slab.shape()[last] == shape.entries() / shape[last];
    if (!whole) return Continue::cancel;
    const Index first = next;
    next += slab.shape()[last];
    return visit_block(slab, first, visit);
  });
  if (whole) return;
  const Index length = slab_length(shape, file.type(), last);
  for (Index begin = 0; begin < shape[last]; begin += length) {
    const DenseTensor block = read_block(file, begin, std::min(length, shape[last] - begin));
    if (visit_block(block.view(), begin, visit) == Continue::cancel) return;
  }
}

}  // namespace sunder
