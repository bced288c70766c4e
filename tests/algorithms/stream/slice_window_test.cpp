#include "algorithms/stream/slice_window.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "planted_problem.hpp"

namespace sunder::streaming {
namespace {

constexpr int rank = 2;
constexpr Index slices = 8;

Factors unit_factors(std::uint64_t seed) {
  Factors factors = test::random_model(Shape{14, 11}, rank, seed).factors();
  for (Matrix& factor : factors) factor.colwise().normalize();
  return factors;
}

/// Slices of factors that move in straight lines by `speed` from each to the next, at right angles
/// to where they end: that is what the window can describe, lengths being left to w.
std::deque<HeldSlice> moving_slices(double speed, std::uint64_t seed) {
  const Factors end = unit_factors(seed);
  Factors direction = unit_factors(seed + 100);
  for (std::size_t m = 0; m < 2; ++m) {
    for (Index i = 0; i < rank; ++i) {
      direction[m].col(i) -= end[m].col(i).dot(direction[m].col(i)) * end[m].col(i);
    }
  }
  Rng rng(seed, 9);
  std::deque<HeldSlice> list;
  for (Index t = 0; t < slices; ++t) {
    Factors factors = end;
    for (std::size_t m = 0; m < 2; ++m) {
      factors[m] += speed * static_cast<double>(t - slices + 1) * direction[m];
    }
    const Vector w = Vector::NullaryExpr(rank, [&] { return rng.normal(); });
    list.push_back(hold(test::dense(CpModel(w, factors)).view(), t));
    list.back().w = w;
  }
  return list;
}

double largest_residual(const SliceWindow& window) {
  double worst = 0;
  for (const HeldSlice& slice : window.slices()) {
    const Entries residual = residual_of(slice, window.factors_at(slice.number));
    worst = std::max(worst, residual.abs().maxCoeff() / slice.values.abs().maxCoeff());
  }
  return worst;
}

WindowOptions options_for(bool moving) {
  WindowOptions options;
  options.capacity = slices;
  options.moving = moving;
  options.noise_width = 1e6;  // every entry is an inlier: what is tested is the least squares
  options.threads = 1;
  return options;
}

TEST(SliceWindow, StraightLinesAreFittedExactly) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    SliceWindow window(Shape{14, 11}, rank, options_for(true));
    Factors start = unit_factors(seed);
    for (Matrix& factor : start) factor += 0.01 * Matrix::Ones(factor.rows(), factor.cols());
    window.begin(start, moving_slices(1e-3, seed));
    window.sweep(200);
    EXPECT_LT(largest_residual(window), 1e-8) << "seed " << seed;
    SliceWindow still(Shape{14, 11}, rank, options_for(false));
    still.begin(unit_factors(seed), moving_slices(1e-3, seed));
    still.sweep(200);
    EXPECT_GT(largest_residual(still), 1e-4) << "seed " << seed;
  }
}

TEST(SliceWindow, SweepsNeverRaiseTheWeightedSumOfSquares) {
  WindowOptions options = options_for(true);
  options.forgetting = 0.7;
  SliceWindow window(Shape{14, 11}, rank, options);
  std::deque<HeldSlice> list = moving_slices(1e-2, 4);
  Rng rng(1);
  for (HeldSlice& slice : list) {
    for (double& x : slice.values) x += 0.1 * rng.normal();
  }
  window.begin(unit_factors(4), std::move(list));
  const auto cost = [&] {
    double sum = 0;
    for (const HeldSlice& slice : window.slices()) {
      const double age = static_cast<double>(slices - 1 - slice.number);
      sum +=
          std::pow(0.7, age) * residual_of(slice, window.factors_at(slice.number)).square().sum();
    }
    return sum;
  };
  double before = cost();
  for (int k = 0; k < 20; ++k) {
    window.sweep(1);
    EXPECT_LE(cost(), before * (1 + 1e-4)) << k;  // turning velocities upright costs a little
    before = cost();
  }
}

TEST(SliceWindow, AdvancingGoesOnAlongTheLine) {
  SliceWindow window(Shape{14, 11}, rank, options_for(true));
  window.begin(unit_factors(5), moving_slices(1e-3, 5));
  window.sweep(200);
  const Factors expected = window.factors_at(slices + 2);
  window.advance_to(slices + 2);
  for (std::size_t m = 0; m < 2; ++m) {
    EXPECT_LT((window.factors()[m] - expected[m].colwise().normalized()).norm(), 1e-12);
  }
}

TEST(SliceWindow, HoldsTheLatestSlices) {
  SliceWindow window(Shape{14, 11}, rank, options_for(true));
  window.begin(unit_factors(6), moving_slices(0, 6));
  HeldSlice next = window.slices().front();
  next.number = slices;
  window.advance_to(slices);
  window.add(next);
  EXPECT_EQ(window.slices().size(), static_cast<std::size_t>(slices));
  EXPECT_EQ(window.slices().front().number, 1);
  EXPECT_EQ(window.slices().back().number, slices);
}

/// Large enough for several threads.
TEST(SliceWindow, SameBitsForAnyNumberOfThreads) {
  const Shape shape{130, 120};
  const Factors factors = test::random_model(shape, rank, 7).factors();
  Rng rng(7);
  std::deque<HeldSlice> list;
  for (Index t = 0; t < slices; ++t) {
    DenseTensor slice = test::dense(test::random_model(shape, rank, 7));
    for (double& x : slice.typed<double>()) x += rng.normal();
    list.push_back(hold(slice.view(), t));
    list.back().w = Vector::Ones(rank);
  }
  const auto swept = [&](int threads) {
    WindowOptions options = options_for(true);
    options.noise_width = 2;
    options.threads = threads;
    SliceWindow window(shape, rank, options);
    window.begin(factors, list);
    window.sweep(2);
    return window;
  };
  const SliceWindow one = swept(1);
  const SliceWindow two = swept(2);
  EXPECT_EQ(one.factors(), two.factors());
  EXPECT_EQ(one.factors_at(0), two.factors_at(0));
  for (std::size_t t = 0; t < one.slices().size(); ++t) {
    EXPECT_EQ(one.slices()[t].w, two.slices()[t].w);
    EXPECT_TRUE((one.slices()[t].kept == two.slices()[t].kept).all());
  }
}

}  // namespace
}  // namespace sunder::streaming
