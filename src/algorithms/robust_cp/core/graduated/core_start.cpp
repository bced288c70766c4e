#include "algorithms/robust_cp/core/graduated/core_start.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "algorithms/robust_cp/core/core_statistics.hpp"
#include "algorithms/robust_cp/core/graduated/small_als.hpp"
#include "algorithms/robust_cp/levels.hpp"
#include "core/dense.hpp"

namespace sunder::robust {

namespace {

namespace start = levels::start;

Matrix leading_directions(const RowMatrix& unfolding, int rank) {
  const Matrix gram = unfolding * unfolding.transpose();
  return symmetric_eigen(gram).vectors.rightCols(std::min<Index>(rank, gram.rows()));
}

/// X x_mode U'.
Entries multiply_mode(Shape& shape, const Entries& entries, int mode, const Matrix& directions) {
  const RowMatrix product = directions.transpose() * unfold(shape, entries, mode);
  std::vector<Index> extents(shape.begin(), shape.end());
  Index left = 1;
  for (int m = 0; m < mode; ++m) left *= shape[m];
  const Index right = shape.entries() / (left * shape[mode]);
  extents[mode] = directions.cols();
  shape = Shape(extents);
  Entries result(shape.entries());
  for (Index l = 0; l < left; ++l) {
    for (Index i = 0; i < directions.cols(); ++i) {
      result.segment((l * directions.cols() + i) * right, right) =
          product.row(i).segment(l * right, right).transpose().array();
    }
  }
  return result;
}

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
  std::vector<Matrix> directions;
  Shape small = shape;
  Entries compressed = entries;
  for (int mode = 0; mode < shape.order(); ++mode) {
    directions.push_back(leading_directions(unfold(shape, entries, mode), rank));
    compressed = multiply_mode(small, compressed, mode, directions.back());
  }
  std::optional<AlsFit> best;
  for (int attempt = 0; attempt < start::restarts; ++attempt) {
    monitor.beat();
    AlsFit fit = small_als(small, compressed, rank, rng,
                           {.sweeps = start::sweeps, .tolerance = start::tolerance});
    if (!best || fit.relative_cost < best->relative_cost) best = std::move(fit);
  }
  for (std::size_t m = 0; m < directions.size(); ++m) {
    best->factors[m] = directions[m] * best->factors[m];
  }
  return best->factors;
}

}  // namespace sunder::robust
