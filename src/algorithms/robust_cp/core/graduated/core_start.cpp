#include "algorithms/robust_cp/core/core_start.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "algorithms/cp/nonnegative_least_squares.hpp"
#include "core/dense.hpp"

namespace sunder::robust {

namespace {

constexpr int restarts = 6;
constexpr int restart_sweeps = 80;
constexpr double restart_tolerance = 1e-5;

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
  extents[static_cast<std::size_t>(mode)] = directions.cols();
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

AlsFit small_als(const Shape& shape, const Entries& entries, int rank, Rng& rng, int sweeps,
                 double tolerance, const Factors* start, const ModeConstraints& constraints) {
  AlsFit fit;
  std::vector<RowMatrix> unfoldings;
  for (int mode = 0; mode < shape.order(); ++mode) {
    unfoldings.push_back(unfold(shape, entries, mode));
    if (start == nullptr) {
      fit.factors.emplace_back(
          Matrix::NullaryExpr(shape[mode], rank, [&] { return rng.normal(); }));
      if (constraints.nonnegative(mode)) fit.factors.back() = fit.factors.back().cwiseAbs();
    }
  }
  if (start != nullptr) fit.factors = *start;
  const double square = entries.square().sum() + 1e-300;
  double before = std::numeric_limits<double>::infinity();
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    double cost = square;
    for (int mode = 0; mode < shape.order(); ++mode) {
      const auto at = static_cast<std::size_t>(mode);
      Matrix normal = Matrix::Ones(rank, rank);
      for (std::size_t q = 0; q < fit.factors.size(); ++q) {
        if (q != at) normal.array() *= (fit.factors[q].transpose() * fit.factors[q]).array();
      }
      normal.diagonal().array() += 1e-9 * normal.trace() / rank + 1e-300;
      const Matrix right_side = unfoldings[at] * khatri_rao_of_others(fit.factors, mode);
      fit.factors[at] = constraints.nonnegative(mode)
                            ? nonnegative_rows(normal, right_side)
                            : Matrix(normal.ldlt().solve(right_side.transpose()).transpose());
      if (mode + 1 == shape.order()) {
        cost += -2 * right_side.cwiseProduct(fit.factors[at]).sum() +
                normal.cwiseProduct(fit.factors[at].transpose() * fit.factors[at]).sum();
      }
    }
    balance(fit.factors);
    fit.relative_cost = cost / square;
    if (std::abs(before - cost) < tolerance * square) break;
    before = cost;
  }
  return fit;
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
  for (int start = 0; start < restarts; ++start) {
    monitor.beat();
    AlsFit fit = small_als(small, compressed, rank, rng, restart_sweeps, restart_tolerance);
    if (!best || fit.relative_cost < best->relative_cost) best = std::move(fit);
  }
  for (std::size_t m = 0; m < directions.size(); ++m) {
    best->factors[m] = directions[m] * best->factors[m];
  }
  return best->factors;
}

}  // namespace sunder::robust
