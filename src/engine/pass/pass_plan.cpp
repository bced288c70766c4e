#include "engine/pass/pass_plan.hpp"

#include <algorithm>
#include <numeric>

namespace sunder {

Eigen::ArrayXd CanonicalFactors::outer_product(const Tile& tile, int skip) const {
  Eigen::ArrayXd product = weights.array();
  for (int mode = 0; mode + 2 < static_cast<int>(matrix.size()); ++mode) {
    if (mode == skip) continue;
    const auto at = static_cast<std::size_t>(mode);
    product *= matrix[at].row(tile.outer[at]).transpose().array();
  }
  return product;
}

namespace {

Index probe_rank(const PassRequest& request) {
  if (request.modes.none()) return 0;
  return request.probe != nullptr ? request.probe->front().cols() : request.model->rank();
}

/// Returns true if kernels::can_stream accepts every tile.
template <class Real>
bool streams(const TensorView& tensor, const PassRequest& request) {
  kernels::TileTask<Real> task;
  task.type = tensor.type();
  const auto modes = tensor.modes_by_stride();
  task.column_stride = tensor.stride(modes[tensor.order() - 1]);
  task.model_rank = request.model->rank();
  task.probe_rank = probe_rank(request);
  task.rule = request.rule;
  task.data_statistics = request.data_statistics;
  return kernels::can_stream(task) && request.mask == nullptr &&
         request.slice_statistics == SliceDetail::none && !request.histogram &&
         !wants_sparse(request);
}

/// Chooses tiles whose panels of a block of columns (the model's, the probe's, the sums) fit in
/// half of a second-level cache of 1 MiB, and whose row factors fit in an eighth. Smaller blocks
/// that fit in the first level were slower: the sums over lanes at the end of each row of a block
/// cost more than they save.
template <class Real>
TileLimits limits_for(const PassRequest& request) {
  const auto rank = std::max<Index>({Index{request.model->rank()}, probe_rank(request), Index{1}});
  const auto bytes = static_cast<Index>(sizeof(Real)) * rank;
  TileLimits limits;
  limits.columns = std::clamp<Index>((Index{512} << 10) / (3 * bytes) / 64 * 64, 64, 1024);
  // Use whole rows, where they are not too long, so that S is found in order.
  if (wants_sparse(request)) limits.columns = most_columns_in_order;
  limits.rows = std::clamp<Index>((Index{128} << 10) / (2 * bytes), 48, 4096);
  return limits;
}

CanonicalFactors canonical_factors(const Tiling& tiling, const Vector& weights,
                                   const std::vector<Matrix>& factors) {
  CanonicalFactors result{weights, {}};
  for (int mode = 0; mode < tiling.order(); ++mode) {
    result.matrix.emplace_back(factors[tiling.original_mode(mode)]);
  }
  return result;
}

// MTTKRP is defined on the factors alone; the weights belong to the model, not to the probe.
CanonicalFactors probe_factors(const Tiling& tiling, const PassRequest& request) {
  const auto& factors = request.probe != nullptr ? *request.probe : request.model->factors();
  return canonical_factors(tiling, Vector::Ones(factors.front().cols()), factors);
}

}  // namespace

template <class Real>
PassPlan<Real>::PassPlan(const TensorView& layout, const PassRequest& asked)
    : request(asked),
      stream(streams<Real>(layout, asked)),
      tiling(layout, limits_for<Real>(asked)),
      model(canonical_factors(tiling, asked.model->weights(), asked.model->factors())) {
  for (int mode = 0; mode < order(); ++mode) {
    modes[mode] = asked.modes[tiling.original_mode(mode)];
  }
  if (asked.mask != nullptr) mask = tiling.canonical(*asked.mask);
  if (asked.slice_statistics != SliceDetail::none) find_alive();
  model_panels = {model.matrix.back(), tiling.block_columns(), stream};
  if (modes.any()) {
    probe = probe_factors(tiling, asked);
    if (asked.probe != nullptr) {
      own_probe_panels = {probe.matrix.back(), tiling.block_columns(), stream};
    }
  }
}

template <class Real>
void PassPlan<Real>::find_alive() {
  for (int mode = 0; mode < order(); ++mode) {
    const auto extent = static_cast<std::size_t>(tiling.tensor().shape()[mode]);
    const int original = tiling.original_mode(mode);
    std::vector<std::uint8_t>& here = alive.emplace_back(extent, std::uint8_t{1});
    if (request.alive == nullptr) continue;
    const auto& given = (*request.alive)[original];
    for (std::size_t i = 0; i < extent; ++i) {
      here[i] = given[i] != 0 ? 1 : 0;
      all_alive = all_alive && here[i] != 0;
    }
  }
  const std::vector<std::uint8_t>& columns = alive.back();
  column_alive = AlignedBuffer<kernels::Lane<Real>>(padded<Real>(std::ssize(columns)));
  std::transform(columns.begin(), columns.end(), column_alive.data(),
                 [](std::uint8_t is) { return static_cast<kernels::Lane<Real>>(-is); });
}

template <class Real>
Index PassPlan<Real>::alive_columns(Index begin, Index columns) const {
  if (all_alive) return columns;
  const auto first = alive.back().begin() + begin;
  return std::accumulate(first, first + columns, Index{0});
}

template struct PassPlan<double>;
template struct PassPlan<float>;

}  // namespace sunder
