#include "learn/bayesnet/bayesnet_fit.hpp"

#include <gtest/gtest.h>

#include "sunder/core/rng.hpp"

namespace sunder {
namespace {

Loadings random_loadings(Index variables, Index hidden, Index networks, std::uint64_t seed) {
  Rng rng(seed);
  Loadings loadings;
  loadings.U = Matrix::NullaryExpr(variables, hidden, [&] { return rng.normal(); });
  loadings.U.colwise().normalize();
  loadings.w = Matrix::NullaryExpr(networks, hidden, [&] { return rng.uniform(0.5, 2); });
  return loadings;
}

Loadings nearby(Loadings loadings, std::uint64_t seed) {
  Rng rng(seed, 1);
  for (double& u : loadings.U.reshaped()) u += 0.02 * rng.normal();
  return loadings;
}

std::vector<Matrix> covariances_of(const Loadings& loadings) {
  std::vector<Matrix> covariances;
  for (Index k = 0; k < loadings.w.rows(); ++k) {
    covariances.push_back(explained_covariance(loadings, k));
  }
  return covariances;
}

TEST(BayesNetFit, FindsTheModelWithoutWhatIsLeftOut) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Loadings truth = random_loadings(15, 3, 6, seed);
    std::vector<Matrix> covariances = covariances_of(truth);
    std::vector<Matrix> weights(6, Matrix::Ones(15, 15));
    for (std::size_t k = 0; k < 6; ++k) {
      weights[k].diagonal().setZero();
      covariances[k].diagonal().setConstant(100);
      weights[k](2, 5) = weights[k](5, 2) = 0;
      covariances[k](2, 5) = covariances[k](5, 2) = -50;
    }
    const Loadings found = fit_loadings(covariances, weights, nearby(truth, seed));
    EXPECT_LT((found.U - truth.U).norm(), 1e-9);
    EXPECT_LT((found.w - truth.w).norm(), 1e-9 * truth.w.norm());
  }
}

double cost(const std::vector<Matrix>& covariances, const std::vector<Matrix>& weights,
            const Loadings& loadings) {
  double sum = 0;
  for (std::size_t k = 0; k < covariances.size(); ++k) {
    const Matrix R = covariances[k] - explained_covariance(loadings, static_cast<Index>(k));
    for (Index i = 0; i < R.rows(); ++i) {
      for (Index j = i; j < R.cols(); ++j) sum += weights[k](i, j) * R(i, j) * R(i, j);
    }
  }
  return sum;
}

/// With noise on everything, the diagonal too: no small change of U or w lowers the cost.
TEST(BayesNetFit, EndsWhereTheCostIsStationary) {
  const Loadings truth = random_loadings(10, 2, 5, 4);
  std::vector<Matrix> covariances = covariances_of(truth);
  std::vector<Matrix> weights;
  Rng rng(9);
  for (Matrix& C : covariances) {
    const Matrix noise = Matrix::NullaryExpr(10, 10, [&] { return 0.05 * rng.normal(); });
    const Matrix weight = Matrix::NullaryExpr(10, 10, [&] { return rng.uniform(0.5, 2); });
    C += noise + noise.transpose();
    weights.push_back(weight + weight.transpose());
  }
  const Loadings found = fit_loadings(covariances, weights, nearby(truth, 4));
  const double least = cost(covariances, weights, found);
  EXPECT_LT(least, cost(covariances, weights, truth));
  constexpr double h = 1e-5;
  for (int trial = 0; trial < 20; ++trial) {
    const Matrix dU = Matrix::NullaryExpr(10, 2, [&] { return h * rng.normal(); });
    const Matrix dw = Matrix::NullaryExpr(5, 2, [&] { return h * rng.normal(); });
    const double up = cost(covariances, weights, {found.U + dU, found.w + dw});
    const double down = cost(covariances, weights, {found.U - dU, found.w - dw});
    EXPECT_NEAR((up - down) / (2 * h), 0, 1e-6);
    EXPECT_GT(up + down, 2 * least);
  }
}

}  // namespace
}  // namespace sunder
