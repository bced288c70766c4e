#include <algorithm>

#include "sunder/core/tensor_view.hpp"
#include "sunder/theory/block_structure.hpp"

namespace sunder {

FibreSparsity measure_fibres(const SparseTensor& sparse) {
  const Shape& shape = sparse.shape();
  const ModeIndices strides = contiguous_strides(shape, StorageOrder::c);
  FibreSparsity sparsity;
  for (int mode = 0; mode < shape.order(); ++mode) {
    // A fibre is identified by its cell 0. Entries are already sorted for the last mode.
    const Index stride = strides[mode];
    std::vector<Index> fibre_of;
    fibre_of.reserve(sparse.count());
    for (const Index position : sparse.positions()) {
      fibre_of.push_back(position - position / stride % shape[mode] * stride);
    }
    if (mode + 1 < shape.order()) std::sort(fibre_of.begin(), fibre_of.end());
    Index longest = 0;
    Index run = 0;
    for (std::size_t k = 0; k < fibre_of.size(); ++k) {
      run = k > 0 && fibre_of[k] == fibre_of[k - 1] ? run + 1 : 1;
      longest = std::max(longest, run);
    }
    sparsity.of_mode.push_back(longest);
    sparsity.largest = std::max(sparsity.largest, longest);
  }
  return sparsity;
}

}  // namespace sunder
