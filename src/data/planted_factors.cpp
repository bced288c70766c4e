#include "data/planted_factors.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <numeric>

#include "data/planted_streams.hpp"

namespace sunder {

namespace {

/// The rows that stay, in ascending order: each with probability 1 - zero_rows, but at least
/// `rank` of them (all, if there are fewer), since columns on fewer rows would be dependent.
std::vector<Index> kept_rows(const PlantedOptions& options, int mode) {
  const Index extent = options.shape[mode];
  std::vector<Index> rows(static_cast<std::size_t>(extent));
  std::iota(rows.begin(), rows.end(), Index{0});
  if (options.zero_rows == 0) return rows;
  Rng random = stream(options.seed, Purpose::zero_rows, mode);
  Vector draw(extent);
  for (double& x : draw) x = random.uniform();
  const Index above = (draw.array() >= options.zero_rows).count();
  const Index kept = std::max(above, std::min<Index>(options.rank, extent));
  std::stable_sort(rows.begin(), rows.end(), [&](Index a, Index b) { return draw[a] > draw[b]; });
  rows.resize(static_cast<std::size_t>(kept));
  std::sort(rows.begin(), rows.end());
  return rows;
}

/// The orthonormal basis of the columns' span whose R has a positive diagonal: of Gaussian columns,
/// a uniformly distributed frame (Mezzadri 2007).
Matrix orthonormalised(const Matrix& columns) {
  const Eigen::HouseholderQR<Matrix> qr(columns);
  Matrix basis = qr.householderQ() * Matrix::Identity(columns.rows(), columns.cols());
  for (Index i = 0; i < basis.cols(); ++i) {
    if (qr.matrixQR()(i, i) < 0) basis.col(i) *= -1;
  }
  return basis;
}

Matrix planted_factor(const PlantedOptions& options, int mode) {
  // Drawn column by column, so that a higher rank only adds columns.
  Rng random = stream(options.seed, Purpose::factor, mode);
  Matrix gaussian(options.shape[mode], options.rank);
  for (double& x : gaussian.reshaped()) x = random.normal();
  const std::vector<Index> rows = kept_rows(options, mode);
  const Matrix kept = gaussian(rows, Eigen::all);
  Matrix factor = Matrix::Zero(gaussian.rows(), gaussian.cols());
  factor(rows, Eigen::all) = options.factors == FactorKind::orthonormal
                                 ? orthonormalised(kept)
                                 : Matrix(kept.colwise().normalized());
  return factor;
}

Vector planted_weights(const PlantedOptions& options) {
  Vector weights = Vector::Ones(options.rank);
  if (options.weights == WeightKind::uniform) {
    Rng random = stream(options.seed, Purpose::weights);
    for (double& weight : weights) weight = random.uniform(1, 2);
  } else if (options.weights == WeightKind::decaying && options.rank > 1) {
    weights.setLinSpaced(1, 0.2);
  }
  return weights;
}

}  // namespace

CpModel planted_low_rank(const PlantedOptions& options) {
  std::vector<Matrix> factors;
  for (int mode = 0; mode < options.shape.order(); ++mode) {
    const bool same = options.symmetric && mode > 0;
    factors.push_back(same ? factors.front() : planted_factor(options, mode));
  }
  return {planted_weights(options), std::move(factors)};
}

}  // namespace sunder
