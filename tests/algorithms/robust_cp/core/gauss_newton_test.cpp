#include "algorithms/robust_cp/core/gauss_newton.hpp"

#include <gtest/gtest.h>

namespace sunder::robust {
namespace {

Factors random_factors(const Shape& shape, Index rank, std::uint64_t seed) {
  Rng rng(seed);
  Factors factors;
  for (const Index extent : shape) {
    factors.emplace_back(Matrix::NullaryExpr(extent, rank, [&] { return rng.normal(); }));
  }
  balance(factors);
  return factors;
}

Factors nearby(Factors factors, double distance) {
  Rng rng(99);
  for (Matrix& factor : factors) {
    factor +=
        Matrix::NullaryExpr(factor.rows(), factor.cols(), [&] { return distance * rng.normal(); });
  }
  return factors;
}

double root_mean_square_on(const Entries& R, const Entries& inlier) {
  return std::sqrt((R * inlier).square().sum() / inlier.sum());
}

TEST(GaussNewton, ConvergesQuadraticallyOnTheInliers) {
  for (const Shape& shape : {Shape{12, 11, 10}, Shape{7, 6, 5, 4}}) {
    const Factors truth = random_factors(shape, 3, 1);
    DenseCore core;
    core.shape = shape;
    core.values = evaluate(truth);
    Entries inlier = Entries::Ones(core.values.size());
    for (Index i = 0; i < core.values.size(); i += 3) {
      core.values[i] += 1000;
      inlier[i] = 0;
    }
    Monitor monitor;
    Factors factors = nearby(truth, 1e-3);
    for (int step = 0; step < 3; ++step) {
      const Factors delta = weighted_gauss_newton_step(
          core, factors, 100, {.damping = 1e-12, .max_steps = 200, .tolerance = 1e-10}, monitor);
      for (std::size_t m = 0; m < factors.size(); ++m) factors[m] += delta[m];
    }
    EXPECT_LT(root_mean_square_on(residual(core, factors), inlier), 1e-10) << to_string(shape);
    EXPECT_GT(monitor.flops(), 0);
  }
}

TEST(GaussNewton, EntriesThatAreHeldStay) {
  const Factors factors = random_factors({8, 7, 6}, 2, 4);
  const Factors gradient = random_factors({8, 7, 6}, 2, 5);
  Factors free;
  for (const Matrix& factor : factors) free.push_back(Matrix::Ones(factor.rows(), factor.cols()));
  free[1].row(3).setZero();
  const GaussNewtonOptions options{.damping = 1e-2, .max_steps = 200, .tolerance = 1e-12};
  const Factors delta = gauss_newton_step(factors, gradient, options, &free);
  EXPECT_EQ(delta[1].row(3).norm(), 0);
  EXPECT_GT(delta[1].row(2).norm(), 0);
  // Nothing held: the step without a mask.
  free[1].setOnes();
  const Factors all = gauss_newton_step(factors, gradient, options, &free);
  const Factors plain = gauss_newton_step(factors, gradient, options);
  for (std::size_t m = 0; m < all.size(); ++m) EXPECT_EQ(all[m], plain[m]);
}

}  // namespace
}  // namespace sunder::robust
