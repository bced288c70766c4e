#include "algorithms/robust_cp/core/graduated/core_start.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "algorithms/robust_cp/core/core_statistics.hpp"
#include "algorithms/robust_cp/core/graduated/small_als.hpp"
#include "algorithms/robust_cp/core/graduated/tucker.hpp"
#include "algorithms/robust_cp/levels/core.hpp"
#include "core/dense.hpp"

namespace sunder::robust {

namespace {

namespace start = levels::start;

Factors singular_vectors(const Shape& shape, const Entries& entries, int rank) {
  const Eigen::Map<const RowMatrix> matrix(entries.data(), shape[0], shape[1]);
  const Svd svd = thin_svd(matrix);
  const Index k = std::min<Index>(rank, svd.values.size());
  const Vector root = svd.values.head(k).cwiseSqrt();
  return {svd.u.leftCols(k) * root.asDiagonal(), svd.v.leftCols(k) * root.asDiagonal()};
}

}  // namespace

Entries clipped_and_centred(const DenseCore& core, const std::vector<Index>& informative,
                            double spread) {
  const double middle = median_at(core, thinned(informative));
  const double reach = start::clip * spread;
  Entries X = core.values.max(middle - reach).min(middle + reach);
  if (!core.complete()) X *= core.observed;
  const double share = core.observed_share();
  const double mean = X.mean() / share;
  const double square = X.square().mean() / share;
  if (mean * mean < start::mean_is_a_component * square) X -= mean;
  if (!core.complete()) X *= core.observed / share;
  return X;
}

Factors subspace_start(const Shape& shape, const Entries& entries, int rank, Rng& rng,
                       Monitor& monitor) {
  if (shape.order() == 2) return singular_vectors(shape, entries, rank);
  const Tucker tucker = compress(shape, entries, rank);
  std::optional<AlsFit> best;
  for (int attempt = 0; attempt < start::restarts; ++attempt) {
    monitor.beat();
    AlsFit fit = small_als(tucker.shape, tucker.core, rank, rng,
                           {.sweeps = start::sweeps, .tolerance = start::tolerance});
    if (!best || fit.relative_cost < best->relative_cost) best = std::move(fit);
  }
  return tucker.expand(best->factors);
}

}  // namespace sunder::robust
