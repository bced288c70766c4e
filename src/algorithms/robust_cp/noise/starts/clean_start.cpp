#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <optional>
#include <utility>

#include "algorithms/robust_cp/core/core_statistics.hpp"
#include "algorithms/robust_cp/core/graduated/core_start.hpp"
#include "algorithms/robust_cp/core/graduated/small_als.hpp"
#include "algorithms/robust_cp/core/graduated/tucker.hpp"
#include "algorithms/robust_cp/levels/noise_starts.hpp"
#include "algorithms/robust_cp/noise/starts/starts.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::starts;

/// A random combination of the slices of a tensor of order 3, along the last mode.
Matrix mixed_slices(const Tucker& tucker, Rng& rng) {
  const Index slices = tucker.shape[2];
  const Eigen::Map<const RowMatrix> rows(tucker.core.data(), tucker.core.size() / slices, slices);
  const Vector mix = Vector::NullaryExpr(slices, [&] { return rng.normal(); });
  const Vector mixed = rows * mix;
  return Eigen::Map<const RowMatrix>(mixed.data(), tucker.shape[0], tucker.shape[1]);
}

/// Jennrich's method: A diag(x) B' and A diag(y) B' have A in the eigenvectors of their quotient.
/// Needs a small tensor of r x r x k; nothing if an eigenvalue is complex.
std::optional<Factors> diagonalised(const Tucker& tucker, int rank, Rng& rng) {
  if (tucker.shape.order() != 3 || tucker.shape[0] != rank || tucker.shape[1] != rank) {
    return std::nullopt;
  }
  const Matrix first = mixed_slices(tucker, rng);
  const Matrix second = mixed_slices(tucker, rng);
  const Eigen::FullPivLU<Matrix> divisor(second);
  if (!divisor.isInvertible()) return std::nullopt;
  const Eigen::EigenSolver<Matrix> eigen(first * divisor.inverse());
  if (eigen.info() != Eigen::Success || !eigen.eigenvalues().imag().isZero(0)) return std::nullopt;
  const Matrix A = eigen.eigenvectors().real();
  const Eigen::FullPivLU<Matrix> left(A);
  if (!left.isInvertible()) return std::nullopt;
  // A^-1 X_k = diag(c_k) B': each row of it, over all slices, is of rank one.
  Factors factors{A, Matrix(tucker.shape[1], rank), Matrix(tucker.shape[2], rank)};
  const Eigen::Map<const RowMatrix> unfolding(tucker.core.data(), rank,
                                              tucker.shape[1] * tucker.shape[2]);
  const RowMatrix products = left.inverse() * unfolding;
  for (Index k = 0; k < rank; ++k) {
    const Eigen::Map<const RowMatrix> of_component(products.row(k).data(), tucker.shape[1],
                                                   tucker.shape[2]);
    const Eigen::JacobiSVD<Matrix> svd(of_component, Eigen::ComputeThinU | Eigen::ComputeThinV);
    factors[1].col(k) = svd.matrixU().col(0) * svd.singularValues()[0];
    factors[2].col(k) = svd.matrixV().col(0);
  }
  balance(factors);
  return factors;
}

}  // namespace

Factors clean_start(const DenseCore& core, Entries clean, int rank, Rng& rng, Monitor& monitor) {
  for (int round = 0; round < limits::clean_rounds; ++round) {
    monitor.beat();
    const Entries L = compress(core.shape, clean, rank).evaluate();
    const Entries R = core.values - L;
    std::vector<double> magnitudes;
    for (const Index i : thinned(informative(core))) magnitudes.push_back(std::abs(R[i]));
    const double sigma = inlier_sigma(std::move(magnitudes));
    Entries kept = (R.abs() < limits::clean_width * sigma).select(R, 0);
    if (!core.complete()) kept *= core.observed;
    clean = L + kept;
  }
  if (core.shape.order() == 2) return subspace_start(core.shape, clean, rank, rng, monitor);
  const Tucker tucker = compress(core.shape, clean, rank);
  std::optional<AlsFit> best;
  const auto try_from = [&](const Factors* start) {
    monitor.beat();
    AlsFit fit =
        small_als(tucker.shape, tucker.core, rank, rng,
                  {.sweeps = limits::clean_sweeps, .tolerance = limits::clean_tolerance}, start);
    if (!best || fit.relative_cost < best->relative_cost) best = std::move(fit);
  };
  for (int k = 0; k < limits::diagonalisations; ++k) {
    if (const std::optional<Factors> start = diagonalised(tucker, rank, rng)) try_from(&*start);
  }
  for (int k = 0; k < limits::clean_tries; ++k) try_from(nullptr);
  Factors factors = tucker.expand(best->factors);
  balance(factors);
  return factors;
}

}  // namespace sunder::robust
