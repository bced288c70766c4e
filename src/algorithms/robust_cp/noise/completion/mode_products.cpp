// Two flops for each entry and each row of its mode; one copy of the tensor in each mode.
#include "algorithms/robust_cp/noise/completion/mode_products.hpp"

#include <utility>

#include "algorithms/robust_cp/core/algebra/products.hpp"

namespace sunder::robust {

namespace {

template <class Left>
void multiply_mode(const Shape& shape, int mode, const Left& matrix, Entries& entries) {
  const Index extent = shape[mode];
  Index right = 1;
  for (int m = mode + 1; m < shape.order(); ++m) right *= shape[m];
  const Index left = shape.entries() / (extent * right);
  Entries result(entries.size());
  if (right == 1) {
    const Eigen::Map<const RowMatrix> rows(entries.data(), left, extent);
    multiply(rows, matrix.transpose(), Eigen::Map<RowMatrix>(result.data(), left, extent));
  } else {
    for (Index l = 0; l < left; ++l) {
      const Eigen::Map<const RowMatrix> block(entries.data() + l * extent * right, extent, right);
      multiply(matrix, block,
               Eigen::Map<RowMatrix>(result.data() + l * extent * right, extent, right));
    }
  }
  entries = std::move(result);
}

}  // namespace

Entries times(const Shape& shape, const std::vector<Matrix>& matrices, Entries entries) {
  for (int m = 0; m < shape.order(); ++m) multiply_mode(shape, m, matrices[m], entries);
  return entries;
}

Entries times_transposed(const Shape& shape, const std::vector<Matrix>& matrices, Entries entries) {
  for (int m = 0; m < shape.order(); ++m) {
    multiply_mode(shape, m, matrices[m].transpose(), entries);
  }
  return entries;
}

}  // namespace sunder::robust
