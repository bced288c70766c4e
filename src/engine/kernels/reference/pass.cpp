#include "engine/kernels/reference/pass.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::reference {

namespace {

/// Returns the component-wise product of the rows of every factor but one.
Eigen::RowVectorXd product_of_others(const std::vector<Matrix>& factors, const ModeIndices& index,
                                     std::size_t skip) {
  Eigen::RowVectorXd product = Eigen::RowVectorXd::Ones(factors.front().cols());
  for (std::size_t mode = 0; mode < factors.size(); ++mode) {
    if (mode != skip) product = product.cwiseProduct(factors[mode].row(index[mode]));
  }
  return product;
}

void add_to_slice(SliceStatistics& slice, Index index, const PassRequest& request,
                  double residual) {
  const auto at = static_cast<std::size_t>(index);
  ++slice.observed[at];
  slice.fitted[at] += std::abs(residual) < request.fit_tolerance || residual == 0 ? 1 : 0;
  if (request.slice_statistics != SliceDetail::full) return;
  const double kept = request.rule.kept(residual);
  slice.kept[at] += request.rule.keeps(residual) ? 1 : 0;
  slice.kept_square_sum[at] += kept * kept;
}

/// Returns true if the rows of every mode but one are alive.
bool others_alive(const PassRequest& request, const ModeIndices& index, std::size_t skip) {
  if (request.alive == nullptr) return true;
  for (std::size_t mode = 0; mode < request.alive->size(); ++mode) {
    const auto at = static_cast<std::size_t>(index[mode]);
    if (mode != skip && (*request.alive)[mode][at] == 0) return false;
  }
  return true;
}

}  // namespace

PassResult pass(const TensorView& tensor, const PassRequest& request) {
  const Shape& shape = tensor.shape();
  const auto order = static_cast<std::size_t>(shape.order());
  const std::vector<Matrix>& probe =
      request.probe != nullptr ? *request.probe : request.model->factors();
  PassResult result;
  result.mttkrp.resize(order);
  for (std::size_t mode = 0; mode < order; ++mode) {
    const Index extent = shape[static_cast<int>(mode)];
    if (request.modes[mode]) result.mttkrp[mode] = Matrix::Zero(extent, probe.front().cols());
    if (request.slice_statistics != SliceDetail::none) {
      result.slices.emplace_back(extent, request.slice_statistics);
    }
  }
  PassStatistics& sums = result.statistics;
  std::vector<Index> positions;
  std::vector<double> values;
  for (Index position = 0; position < shape.entries(); ++position) {
    const ModeIndices index = shape.unravel(position);
    const std::span<const Index> at(index.data(), order);
    const double x = tensor(at);
    if (std::isnan(x) || (request.mask != nullptr && (*request.mask)(at) == 0)) {
      if (request.sums) ++sums.missing;
      continue;
    }
    const double residual = x - request.model->entry(at);
    const double kept = request.rule.kept(residual);
    const bool keeps = request.rule.keeps(residual);
    if (request.sums) {
      (keeps ? sums.kept : sums.rejected) += 1;
      sums.kept_square_sum += kept * kept;
      sums.rejected_square_sum += keeps ? 0 : residual * residual;
      sums.weight_sum += request.rule.weight(residual);
      sums.cost_sum += request.rule.cost(residual);
    }
    if (request.data_statistics) {
      sums.data_square_sum += x * x;
      sums.data_max = std::max(sums.data_max, std::abs(x));
    }
    if (request.histogram) sums.magnitudes.add(std::abs(residual));
    if ((request.collect_sparse || request.sparse_sink) && !keeps) {
      positions.push_back(position);
      values.push_back(residual);
    }
    for (std::size_t mode = 0; mode < order; ++mode) {
      if (request.modes[mode]) {
        result.mttkrp[mode].row(index[mode]) += kept * product_of_others(probe, index, mode);
      }
      if (request.slice_statistics != SliceDetail::none && others_alive(request, index, mode)) {
        add_to_slice(result.slices[mode], index[mode], request, residual);
      }
    }
  }
  if (request.sparse_sink && !positions.empty()) request.sparse_sink(positions, values);
  if (request.collect_sparse) {
    result.sparse = SparseTensor(shape, std::move(positions), std::move(values));
  }
  return result;
}

}  // namespace sunder::reference
