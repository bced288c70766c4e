#include "algorithms/robust_cp/noise/telling_entries.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "algorithms/robust_cp/levels/noise.hpp"
#include "core/statistics.hpp"
#include "sunder/core/rng.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::noise;

/// The components that are not zero, with columns of length 1.
Factors unit_components(const Factors& factors) {
  std::vector<Index> alive;
  for (Index k = 0; k < factors.front().cols(); ++k) {
    bool is_zero = false;
    for (const Matrix& factor : factors) is_zero = is_zero || !(factor.col(k).norm() > 0);
    if (!is_zero) alive.push_back(k);
  }
  Factors units;
  for (const Matrix& factor : factors) {
    units.emplace_back(factor(Eigen::all, alive).colwise().normalized());
  }
  return units;
}

/// The root of the inverse of the Gram matrix of the products: leverages are squared lengths of
/// what it makes of them. Directions that hardly exist have none.
Matrix whitening(const Factors& units, std::size_t mode) {
  const Index rank = units.front().cols();
  Matrix gram = Matrix::Ones(rank, rank);
  for (std::size_t m = 0; m < units.size(); ++m) {
    if (m != mode) gram.array() *= (units[m].transpose() * units[m]).array();
  }
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(gram);
  const double least = limits::least_direction * eigen.eigenvalues().maxCoeff();
  const Vector roots =
      eigen.eigenvalues().unaryExpr([&](double x) { return x > least ? 1 / std::sqrt(x) : 0.0; });
  return roots.asDiagonal() * eigen.eigenvectors().transpose();
}

Index draw(const Vector& cumulative, Rng& rng) {
  const double* begin = cumulative.data();
  const double* end = begin + cumulative.size();
  const double* at =
      std::lower_bound(begin, end, rng.uniform() * cumulative[cumulative.size() - 1]);
  return std::min<Index>(at - begin, cumulative.size() - 1);
}

/// For each mode and component, the sums of the squares of a column up to each row.
std::vector<std::vector<Vector>> cumulative_squares(const Factors& units) {
  std::vector<std::vector<Vector>> sums;
  for (const Matrix& unit : units) {
    sums.emplace_back();
    for (Index k = 0; k < unit.cols(); ++k) {
      Vector sum = unit.col(k).array().square();
      for (Index i = 1; i < sum.size(); ++i) sum[i] += sum[i - 1];
      sums.back().push_back(std::move(sum));
    }
  }
  return sums;
}

/// The sum of the squared leverages, by products that are drawn in proportion to the mean of the
/// squares of their components: for orthogonal components these are the leverages themselves.
double squared_leverages(const Factors& units, std::size_t mode,
                         const std::vector<std::vector<Vector>>& sums, Rng& rng) {
  const Index rank = units.front().cols();
  const Matrix whitened = whitening(units, mode);
  double total = 0;
  for (int d = 0; d < limits::leverage_draws; ++d) {
    const Index k = d % rank;
    Eigen::ArrayXd product = Eigen::ArrayXd::Ones(rank);
    for (std::size_t m = 0; m < units.size(); ++m) {
      if (m != mode) product *= units[m].row(draw(sums[m][k], rng)).transpose().array();
    }
    const double probability = product.square().mean();
    const double leverage = (whitened * product.matrix()).squaredNorm();
    total += leverage * leverage / (probability + tiny);
  }
  return total / limits::leverage_draws;
}

}  // namespace

double telling_entries(const Factors& factors) {
  const Factors units = unit_components(factors);
  const auto rank = static_cast<double>(units.front().cols());
  double least = std::numeric_limits<double>::infinity();
  if (rank == 0) return least;
  const std::vector<std::vector<Vector>> sums = cumulative_squares(units);
  Rng rng(1, 0);
  for (std::size_t mode = 0; mode < units.size(); ++mode) {
    least = std::min(least, rank / (squared_leverages(units, mode, sums, rng) + tiny));
  }
  return least;
}

}  // namespace sunder::robust
