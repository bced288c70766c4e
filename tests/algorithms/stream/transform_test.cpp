#include "sunder/algorithms/transform.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "io/expect_error.hpp"
#include "planted_problem.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

using testing::expect_error;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

/// New slices along one mode of a known model, three in ten of whose entries are far off.
struct NewSlices {
  Matrix truth;                 ///< coefficients
  std::vector<Matrix> factors;  ///< of the other modes
  DenseTensor data;
  std::vector<Index> corrupted;
};

NewSlices corrupted_slices(const Shape& shape, int mode, int rank, std::uint64_t seed,
                           double share = 0.3) {
  const CpModel model = test::random_model(shape, rank, seed);
  NewSlices made;
  made.truth = model.factor(mode) * model.weights().asDiagonal();
  for (int m = 0; m < shape.order(); ++m) {
    if (m != mode) made.factors.push_back(model.factor(m));
  }
  made.data = test::dense(model);
  Rng rng(seed, 5);
  Index position = 0;
  for (double& x : made.data.typed<double>()) {
    if (rng.bernoulli(share)) {
      x += rng.uniform(1, 20);  // of one sign, which is the harder case
      made.corrupted.push_back(position);
    }
    ++position;
  }
  return made;
}

std::vector<Index> support(const SparseTensor& sparse) {
  return {sparse.positions().begin(), sparse.positions().end()};
}

TEST(Transform, FindsCoefficientsAndSupportAlongAnyMode) {
  const std::array<Shape, 3> shapes = {Shape{50, 20, 18}, Shape{20, 50, 18}, Shape{20, 18, 50}};
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    for (int mode = 0; mode < 3; ++mode) {
      const Shape& shape = shapes[mode];
      const NewSlices made = corrupted_slices(shape, mode, 5, seed);
      const Transformed found = transform(made.factors, mode, made.data.view());
      EXPECT_LT((found.coefficients - made.truth).cwiseAbs().maxCoeff(), 1e-10)
          << "seed " << seed << ", mode " << mode;
      EXPECT_EQ(support(found.sparse), made.corrupted) << "seed " << seed << ", mode " << mode;
      EXPECT_LT(found.residual.maxCoeff(), 1e-10);
    }
  }
}

TEST(Transform, RowsOfAMatrixAndSlicesOfOrderThree) {
  for (const std::uint64_t seed : {4U, 5U}) {
    const NewSlices rows = corrupted_slices(Shape{30, 80}, 0, 4, seed, 0.2);
    EXPECT_LT((transform(rows.factors, 0, rows.data.view()).coefficients - rows.truth).norm(),
              1e-9);
    const NewSlices cubes = corrupted_slices(Shape{9, 8, 12, 7}, 2, 3, seed);
    EXPECT_LT((transform(cubes.factors, 2, cubes.data.view()).coefficients - cubes.truth).norm(),
              1e-9);
  }
}

TEST(Transform, ASliceDoesNotDependOnTheOthersNorOnThreads) {
  const NewSlices made = corrupted_slices(Shape{150, 12, 10}, 0, 3, 6);
  TransformOptions one;
  one.threads = 1;
  TransformOptions two;
  two.threads = 2;
  const Transformed all = transform(made.factors, 0, made.data.view(), one);
  EXPECT_EQ(all.coefficients, transform(made.factors, 0, made.data.view(), two).coefficients);
  const Transformed some = transform(made.factors, 0, made.data.view().slab(0, 70, 75), two);
  EXPECT_EQ(all.coefficients.middleRows(70, 5), some.coefficients);
}

TEST(Transform, MissingEntriesAreLeftOut) {
  NewSlices made = corrupted_slices(Shape{12, 20, 18}, 0, 3, 7, 0.2);
  const auto entries = made.data.typed<double>();
  for (std::size_t i = 0; i < entries.size(); i += 4) entries[i] = nan;
  for (std::size_t i = 0; i < 358; ++i) entries[i] = nan;  // all but two of the first slice
  const Transformed found = transform(made.factors, 0, made.data.view());
  EXPECT_TRUE(found.coefficients.row(0).array().isNaN().all());
  EXPECT_TRUE(std::isnan(found.residual[0]));
  EXPECT_LT((found.coefficients - made.truth).bottomRows(11).norm(), 1e-10);
  EXPECT_EQ(found.missing_count, 358 + 11 * 90);
  for (const Index position : found.sparse.positions()) EXPECT_NE(position % 4, 0);
}

TEST(Transform, NoiseIsAveragedAndGrossErrorsAreNot) {
  NewSlices made = corrupted_slices(Shape{20, 30, 30}, 0, 3, 8);
  Rng rng(8, 9);
  for (double& x : made.data.typed<double>()) x += 0.01 * rng.normal();
  const Transformed found = transform(made.factors, 0, made.data.view());
  // The standard error of a coefficient is about 0.01 / sqrt(630) of clean entries of size one.
  EXPECT_LT((found.coefficients - made.truth).cwiseAbs().maxCoeff(), 0.004);
  EXPECT_NEAR(static_cast<double>(found.sparse.count()), static_cast<double>(made.corrupted.size()),
              40);
}

TEST(Transform, RefusesWhatDoesNotFit) {
  NewSlices made = corrupted_slices(Shape{4, 6, 5}, 0, 2, 9);
  const TensorView view = made.data.view();
  expect_error<InputError>([&] { transform(made.factors, 1, view); }, {"length 4", "6"});
  expect_error<InputError>([&] { transform({made.factors[0]}, 0, view); },
                           {"4 x 6 x 5", "2 modes"});
  expect_error<InputError>([&] { transform({}, 0, view); }, {"4 x 6 x 5"});
  expect_error<OptionError>([&] { transform(made.factors, 3, view); }, {"from 0 to 2", "3"});
  TransformOptions narrow;
  narrow.noise_width = 0;
  expect_error<OptionError>([&] { transform(made.factors, 0, view, narrow); }, {"noise-width"});
  TransformOptions cancelled;
  cancelled.progress = [](const Progress&) { return Continue::cancel; };
  EXPECT_THROW(transform(made.factors, 0, view, cancelled), Cancelled);
  made.data.typed<double>()[7] = inf;
  expect_error<InputError>([&] { transform(made.factors, 0, view); }, {"infinite"});
}

}  // namespace
}  // namespace sunder
