#include "data/planted_columns.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/dense.hpp"

namespace sunder {

namespace {

constexpr Index heavy_share = 20;  ///< one row in this many is heavy

/// Random numbers that the columns need besides their normal ones. The models of a later time and
/// of bad samples read a part of the stream of their own.
Rng further_numbers(const PlantedOptions& options, Purpose use, int mode, Purpose model) {
  Rng random = stream(options.seed, use, mode);
  if (model != Purpose::factor) random.seek(static_cast<std::uint64_t>(model) << 40U);
  return random;
}

/// Columns each pair of which has this cosine: all lean towards one direction.
Matrix collinear_columns(const PlantedOptions& options, int mode, const Matrix& gaussian,
                         Purpose purpose) {
  Rng random = further_numbers(options, Purpose::common_direction, mode, purpose);
  Vector common(gaussian.rows());
  for (double& x : common) x = random.normal();
  common.normalize();
  const Matrix own = orthonormalised(gaussian - common * (common.transpose() * gaussian));
  Matrix columns = std::sqrt(1 - options.collinear) * own;
  columns.colwise() += std::sqrt(options.collinear) * common;
  return columns;
}

/// Absolute values, of which a share stays; every column keeps at least one.
Matrix sparse_columns(const PlantedOptions& options, int mode, const Matrix& gaussian,
                      Purpose purpose) {
  Rng random = further_numbers(options, Purpose::factor_support, mode, purpose);
  Matrix columns = gaussian.cwiseAbs();
  for (Index r = 0; r < columns.cols(); ++r) {
    Vector draw(columns.rows());
    for (double& x : draw) x = random.uniform();
    const double level = std::max(options.sparse_factors, draw.minCoeff());
    for (Index i = 0; i < columns.rows(); ++i) {
      if (draw[i] > level) columns(i, r) = 0;
    }
  }
  return columns;
}

/// One Gaussian bump for each component, or amounts in mode 0.
Matrix peak_columns(const PlantedOptions& options, int mode, Purpose purpose) {
  const Index extent = options.shape[mode];
  Rng random = further_numbers(options, Purpose::peak, mode, purpose);
  Matrix columns(extent, options.rank);
  if (mode == 0) {
    for (double& x : columns.reshaped()) x = random.uniform(0.2, 1);
    return columns;
  }
  const auto length = static_cast<double>(extent);
  for (Index r = 0; r < columns.cols(); ++r) {
    const double centre = random.uniform(0.1, 0.9) * length;
    for (Index i = 0; i < extent; ++i) {
      const double z = (static_cast<double>(i) - centre) / (options.peaks * length);
      columns(i, r) = std::exp(-z * z / 2);
    }
  }
  return columns;
}

}  // namespace

Matrix orthonormalised(const Matrix& columns) {
  Qr qr = thin_qr(columns);
  for (Index i = 0; i < qr.basis.cols(); ++i) {
    if (qr.triangle(i, i) < 0) qr.basis.col(i) *= -1;
  }
  return qr.basis;
}

std::vector<Index> random_subset(Index extent, Index count, Rng random) {
  Vector draw(extent);
  for (double& x : draw) x = random.uniform();
  std::vector<Index> chosen(extent);
  std::iota(chosen.begin(), chosen.end(), Index{0});
  std::stable_sort(chosen.begin(), chosen.end(),
                   [&](Index a, Index b) { return draw[a] < draw[b]; });
  chosen.resize(count);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

Matrix planted_columns(const PlantedOptions& options, int mode, Purpose purpose) {
  if (options.peaks > 0) return peak_columns(options, mode, purpose);
  Rng random = stream(options.seed, purpose, mode);
  Matrix gaussian(options.shape[mode], options.rank);
  for (double& x : gaussian.reshaped()) x = random.normal();
  if (options.sparse_factors > 0) return sparse_columns(options, mode, gaussian, purpose);
  if (options.collinear > 0) return collinear_columns(options, mode, gaussian, purpose);
  if (options.factors == FactorKind::nonnegative) return gaussian.cwiseAbs();
  return gaussian;
}

void make_rows_heavy(const PlantedOptions& options, int mode, Purpose purpose, Matrix& columns) {
  if (options.heavy == 1) return;
  // At least one row, because a short mode would otherwise have none.
  const Index count = std::max<Index>(1, columns.rows() / heavy_share);
  const Rng random = further_numbers(options, Purpose::heavy_rows, mode, purpose);
  for (const Index i : random_subset(columns.rows(), count, random)) {
    columns.row(i) *= options.heavy;
  }
}

}  // namespace sunder
