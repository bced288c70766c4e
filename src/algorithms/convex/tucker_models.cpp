#include "algorithms/convex/tucker_models.hpp"

#include <algorithm>

#include "algorithms/cp/component_list.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder {

namespace {

Shape with_extent(const Shape& shape, int mode, Index extent) {
  std::vector<Index> extents(shape.begin(), shape.end());
  extents[mode] = extent;
  return Shape(extents);
}

Shape shape_of(const std::vector<Matrix>& factors) {
  std::vector<Index> extents;
  for (const Matrix& factor : factors) extents.push_back(factor.rows());
  return Shape(extents);
}

/// tensor x_mode basis^T.
std::vector<double> contracted(std::span<const double> tensor, const Shape& shape, int mode,
                               const Matrix& basis) {
  Index outer = 1;
  for (int m = 0; m < mode; ++m) outer *= shape[m];
  const Index rows = shape[mode];
  const Index inner = shape.entries() / (outer * rows);
  std::vector<double> out(outer * basis.cols() * inner);
  for (Index o = 0; o < outer; ++o) {
    const Eigen::Map<const Matrix> from(tensor.data() + o * rows * inner, inner, rows);
    Eigen::Map<Matrix>(out.data() + o * basis.cols() * inner, inner, basis.cols()).noalias() =
        from * basis;
  }
  return out;
}

}  // namespace

TuckerModel projected(std::span<const double> tensor, const Shape& shape,
                      std::vector<Matrix> factors) {
  TuckerModel tucker;
  tucker.core_shape = shape;
  std::span<const double> rest = tensor;
  for (int mode = 0; mode < shape.order(); ++mode) {
    const Matrix& basis = factors[mode];
    if (basis.cols() == 0) return {with_extent(shape, mode, 0), {}, std::move(factors)};
    std::vector<double> next = contracted(rest, tucker.core_shape, mode, basis);
    tucker.core = std::move(next);
    rest = tucker.core;
    tucker.core_shape = with_extent(tucker.core_shape, mode, basis.cols());
  }
  tucker.factors = std::move(factors);
  return tucker;
}

CpModel cp_model(const TuckerModel& tucker) {
  const Shape& ranks = tucker.core_shape;
  const Shape shape = shape_of(tucker.factors);
  if (ranks.entries() == 0) return CpModel::zero(shape);
  const auto* const longest = std::max_element(ranks.begin(), ranks.end());
  const int fibre_mode = static_cast<int>(longest - ranks.begin());
  const Index length = *longest;
  const Index step = contiguous_strides(ranks, StorageOrder::c)[fibre_mode];
  ComponentList components(shape, ranks.entries() / length);
  for (Index first = 0; first < ranks.entries(); ++first) {
    if (first / step % length != 0) continue;  // not the beginning of a fibre
    Vector fibre(length);
    for (Index k = 0; k < length; ++k) {
      fibre[k] = tucker.core[first + k * step];
    }
    if ((fibre.array() == 0).all()) continue;
    components.add(1);
    const ModeIndices index = ranks.unravel(first);
    for (int mode = 0; mode < shape.order(); ++mode) {
      const Matrix& factor = tucker.factors[mode];
      if (mode == fibre_mode) {
        components.column(mode) = factor * fibre;
      } else {
        components.column(mode) = factor.col(index[mode]);
      }
    }
  }
  return std::move(components).model();
}

}  // namespace sunder
