// Notation:
//   A, g     components of unit length and weights of the robust CP of M3
//   a        weights of the same components in M2; u_k = sqrt(a_k) a_k, lambda_k = g_k / a_k^1.5
//   B        n x r, M2 = B B'; G: r x r x r with M3 = G(B', B', B'); W: whitening, W' B = I
//   w        Geman-McClure weights (1 + (R / c)^2)^-2
#include "learn/moments/robust_start.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "core/dense.hpp"
#include "core/statistics.hpp"
#include "sunder/algorithms/robust_cp.hpp"

namespace sunder {

namespace {

constexpr int regression_steps = 20;
// Under noise no core is ever certified, and larger cores cost more than they improve a start. So
// no further core is used once this many entries were sampled.
constexpr double most_sampled = 200'000;
constexpr double scale_step = 0.5;

double sampled_sigma(const Matrix& residual) {
  std::vector<double> values;
  const Index step = std::max<Index>(1, residual.size() / 100'000) | 1;
  for (Index k = 0; k < residual.size(); k += step) values.push_back(std::abs(residual.data()[k]));
  return inlier_sigma(std::move(values));
}

/// Finds a in M2 = A diag(a) A' by reweighted least squares, from large scales to small ones.
Vector second_weights(const Matrix& second, const Matrix& components) {
  const Index n = components.rows();
  const Index r = components.cols();
  Matrix design(n * n, r);
  for (Index k = 0; k < r; ++k) {
    const Matrix outer = components.col(k) * components.col(k).transpose();
    design.col(k) = outer.reshaped();
  }
  const Vector values = second.reshaped();
  Vector a = Vector::Zero(r);
  double scale = 0;
  for (int step = 0; step < regression_steps; ++step) {
    const Vector residual = values - design * a;
    const double target = 3 * std::max(sampled_sigma(residual), 1e-14 * values.norm());
    scale = step == 0 ? target : std::max(target, scale_step * scale);
    const Vector w =
        residual.unaryExpr([&](double value) { return geman_mcclure_weight(value, scale); });
    const Matrix weighted = w.asDiagonal() * design;
    a = (weighted.transpose() * design).ldlt().solve(weighted.transpose() * values);
  }
  return a;
}

Matrix symmetric_part(const CpModel& model) {
  const Matrix l = model.factor(0) * model.weights().asDiagonal() * model.factor(1).transpose();
  return 0.5 * (l + l.transpose());
}

/// Computes G(B', B', B') as an n x n^2 matrix.
Matrix expanded(const Matrix& g, const Matrix& b) {
  const Index n = b.rows();
  const Index r = b.cols();
  const Matrix once = b * g;  // n x r^2
  Matrix result(n, n * n);
  for (Index i = 0; i < n; ++i) {
    const Matrix slice = once.row(i).reshaped(r, r);
    result.row(i) = (b * slice * b.transpose()).reshaped().transpose();
  }
  return result;
}

/// Finds G by majorised robust regression; every step reads M3 once.
Matrix core_of_third(const Matrix& third, const Matrix& b, const Matrix& w) {
  const Index r = b.cols();
  Matrix g = Matrix::Zero(r, r * r);
  double scale = 0;
  for (int step = 0; step < regression_steps; ++step) {
    Matrix residual = third - expanded(g, b);
    const double target = 3 * std::max(sampled_sigma(residual), 1e-14 * third.norm());
    scale = step == 0 ? 4 * target : std::max(target, scale_step * scale);
    double sum = 0;
    for (Index k = 0; k < residual.size(); ++k) {
      const double weight = geman_mcclure_weight(residual.data()[k], scale);
      residual.data()[k] *= weight;
      sum += weight;
    }
    g += contracted(residual, w) / std::max(sum / static_cast<double>(residual.size()), 0.3);
  }
  return g;
}

RunOptions run_options(const MomentOptions& options) {
  RunOptions run;
  run.rank = options.rank;
  run.seed = options.seed;
  run.threads = options.threads;
  run.collect_sparse = false;
  run.progress = options.progress;
  return run;
}

}  // namespace

RobustStart start_from_third(const ScaledMoments& moments, const MomentOptions& options) {
  const Index n = moments.second.rows();
  const RunOptions run = run_options(options);
  RobustCpOptions symmetric;
  symmetric.symmetric = true;
  symmetric.max_read = most_sampled / static_cast<double>(n * n * n);
  const Decomposition found =
      robust_cp(TensorView::of(moments.third.data(), Shape{n, n, n}), run, symmetric);
  RobustStart start;
  start.certificate = found.certificate;
  start.cancelled = found.outcome == Outcome::cancelled;
  if (start.cancelled || found.low_rank.rank() < options.rank) return start;
  const Matrix& components = found.low_rank.factor(0);
  const Vector a = second_weights(moments.second, components);
  if (!(a.minCoeff() > 0)) return start;
  MomentFactors factors;
  factors.directions = components * a.cwiseSqrt().asDiagonal();
  factors.cubes.resize(options.rank);
  for (Index k = 0; k < a.size(); ++k) {
    // A component of M3 may come as (-a) o (-a) o a; its sign is that of the product.
    const double sign = found.low_rank.factor(1).col(k).dot(components.col(k)) *
                        found.low_rank.factor(2).col(k).dot(components.col(k));
    factors.cubes[k] = sign * found.low_rank.weights()[k] / std::pow(a[k], 1.5);
    if (factors.cubes[k] > 0) continue;
    factors.cubes[k] *= -1;
    factors.directions.col(k) *= -1;
  }
  start.factors = std::move(factors);
  return start;
}

RobustStart start_from_second(const ScaledMoments& moments, const MomentOptions& options) {
  const Index n = moments.second.rows();
  const RunOptions run = run_options(options);
  const Decomposition found =
      robust_cp(TensorView::of(moments.second.data(), Shape{n, n}), run, {});
  RobustStart start;
  start.cancelled = found.outcome == Outcome::cancelled;
  if (start.cancelled || found.low_rank.rank() < options.rank) return start;
  const SymmetricEigen eigen = symmetric_eigen(symmetric_part(found.low_rank));
  const Vector values = eigen.values.tail(options.rank);
  if (!(values[0] > 0)) return start;
  const Matrix vectors = eigen.vectors.rightCols(options.rank);
  const Matrix b = vectors * values.cwiseSqrt().asDiagonal();
  const Matrix w = vectors * values.cwiseSqrt().cwiseInverse().asDiagonal();
  const Matrix g = core_of_third(moments.third, b, w);
  Rng rng(options.seed, 1);
  start.factors =
      whitened_estimate(Matrix::Identity(options.rank, options.rank), g, options.rank, rng);
  if (start.factors) start.factors->directions = b * start.factors->directions;
  return start;
}

}  // namespace sunder
