#include "sunder/core/cp_model.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <functional>

#include "core/random_input.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

using test::dense;
using test::random_model;
using test::random_shape;

/// Models of order 1 to 8 with ranks below and above the extents.
template <class Check>
void for_random_models(std::uint64_t seed, Check check) {
  Rng random(seed);
  for (int order = 1; order <= max_order; ++order) {
    for (const int rank : {0, 1, 3, 9}) {
      const Shape shape = random_shape(order, order <= 4 ? 7 : 3, random);
      check(random_model(shape, rank, random), random);
    }
  }
}

double relative_gap(const Vector& a, const Vector& b) {
  return (a - b).norm() / std::max(b.norm(), 1e-300);
}

TEST(CpModel, FactorsMustAgreeWithTheWeights) {
  EXPECT_THROW(CpModel(Vector::Ones(2), {Matrix(4, 2), Matrix(5, 3)}), InputError);
}

TEST(CpModel, EntryIsTheSumOfProducts) {
  Matrix a(2, 2), b(2, 2);
  a << 1, 2, 3, 4;
  b << 5, 6, 7, 8;
  const CpModel model(Vector{{10, 100}}, {a, b});
  EXPECT_EQ(model.entry({0, 1}), 10 * 1 * 7 + 100 * 2 * 8);
  EXPECT_EQ(model.entry({1, 0}), 10 * 3 * 5 + 100 * 4 * 6);
  EXPECT_EQ(model.shape(), (Shape{2, 2}));
}

TEST(CpModel, NormaliseKeepsTheTensor) {
  for_random_models(1, [](CpModel model, Rng&) {
    const Vector before = dense(model);
    model.normalise();
    EXPECT_LT((dense(model) - before).norm(), 1e-13 * (1 + before.norm()));
    for (const Matrix& factor : model.factors()) {
      for (int i = 0; i < model.rank(); ++i) EXPECT_NEAR(factor.col(i).norm(), 1, 1e-14);
    }
    for (const double weight : model.weights()) EXPECT_GT(weight, 0);
  });
}

TEST(CpModel, NormaliseLeavesZeroColumnsAlone) {
  Matrix a = Matrix::Ones(3, 2);
  a.col(1).setZero();
  CpModel model(Vector{{-1, -1}}, {a, Matrix::Ones(4, 2)});
  model.normalise();
  EXPECT_EQ(model.weights()[1], 0);
  EXPECT_TRUE(model.factor(0).allFinite());
  EXPECT_NEAR(model.entry({1, 1}), -1, 1e-15);
}

TEST(CpModel, NormaliseSurvivesExtremeScales) {
  CpModel model(Vector::Ones(1), {Matrix::Constant(3, 1, 1e200), Matrix::Constant(3, 1, 1e-200)});
  model.normalise();
  EXPECT_NEAR(model.weights()[0], 3, 1e-14);
}

TEST(CpModel, SortKeepsTheTensorAndOrdersByNorm) {
  for_random_models(2, [](CpModel model, Rng&) {
    const Vector before = dense(model);
    model.sort_by_weight();
    EXPECT_LT((dense(model) - before).norm(), 1e-13 * (1 + before.norm()));
    model.normalise();
    const Vector& weights = model.weights();
    EXPECT_TRUE(std::is_sorted(weights.begin(), weights.end(), std::greater<>()))
        << weights.transpose();
  });
}

TEST(CpModel, TilesAreTheEntries) {
  for_random_models(3, [](const CpModel& model, Rng& random) {
    const Shape shape = model.shape();
    ModeIndices begin{};
    std::vector<Index> extents;
    for (int mode = 0; mode < shape.order(); ++mode) {
      const auto bound = static_cast<std::uint64_t>(shape[mode]);
      const auto from = static_cast<Index>(random.below(bound));
      begin[mode] = from;
      extents.push_back(
          1 + static_cast<Index>(random.below(static_cast<std::uint64_t>(shape[mode] - from))));
    }
    const Shape tile(extents);
    std::vector<double> out(tile.entries(), -7);
    model.evaluate(begin, tile, out);
    for (Index k = 0; k < tile.entries(); ++k) {
      ModeIndices index = tile.unravel(k);
      for (std::size_t mode = 0; mode < extents.size(); ++mode) index[mode] += begin[mode];
      const double expected = model.entry(index);
      ASSERT_NEAR(out[k], expected, 1e-12 * (1 + std::abs(expected)));
    }
  });
}

TEST(CpModel, NormAndInnerAgreeWithTheDenseTensor) {
  for_random_models(4, [](const CpModel& model, Rng& random) {
    const CpModel other = random_model(model.shape(), 4, random);
    const double scale = dense(model).norm() * dense(other).norm();
    EXPECT_NEAR(model.norm(), dense(model).norm(), 1e-12 * (1 + dense(model).norm()));
    EXPECT_NEAR(model.inner(other), dense(model).dot(dense(other)), 1e-12 * (1 + scale));
    EXPECT_NEAR(model.distance(other), (dense(model) - dense(other)).norm(),
                1e-12 * (1 + dense(other).norm()));
  });
}

TEST(CpModel, DistanceOfModelsThatNearlyAgree) {
  Rng random(5);
  for (int order = 2; order <= 5; ++order) {
    const Shape shape(std::vector<Index>(order, 6));
    CpModel model = random_model(shape, 3, random);
    model.normalise();
    std::vector<Matrix> factors = model.factors();
    const Matrix change = 1e-10 * test::random_matrix(6, 3, random);
    factors[1] += change;
    const CpModel moved(model.weights(), factors);
    // The difference is itself a model: the same, with (moved - original) in place of the factor.
    factors[1] -= model.factor(1);
    const double expected = CpModel(model.weights(), factors).norm();
    EXPECT_NEAR(model.distance(moved), expected, 1e-14 * model.norm());
    EXPECT_GT(expected, 1e-11);
    EXPECT_LT(model.distance(model), 1e-14 * model.norm());
  }
}

TEST(CpModel, LeadingAndConcatenateAreInverse) {
  for_random_models(6, [](const CpModel& model, Rng&) {
    const int half = model.rank() / 2;
    std::vector<Matrix> rest;
    for (const Matrix& factor : model.factors()) {
      rest.emplace_back(factor.rightCols(model.rank() - half));
    }
    const CpModel tail(model.weights().tail(model.rank() - half), rest);
    const CpModel joined = concatenate(model.leading(half), tail);
    EXPECT_EQ(joined.weights(), model.weights());
    EXPECT_TRUE(std::equal(joined.factors().begin(), joined.factors().end(),
                           model.factors().begin(),
                           [](const Matrix& a, const Matrix& b) { return a == b; }));
    if (model.rank() > 0) {
      EXPECT_LT(relative_gap(dense(model.leading(half)) + dense(tail), dense(model)), 1e-12);
    }
  });
  EXPECT_THROW(concatenate(CpModel::zero(Shape{2, 3}), CpModel::zero(Shape{3, 2})), InputError);
}

TEST(CpModel, RankZeroIsTheZeroTensor) {
  const Shape shape{3, 4, 5};
  CpModel zero = CpModel::zero(shape);
  zero.normalise();
  zero.sort_by_weight();
  EXPECT_EQ(zero.rank(), 0);
  EXPECT_EQ(zero.shape(), shape);
  EXPECT_EQ(zero.entry({1, 2, 3}), 0);
  EXPECT_EQ(zero.norm(), 0);
  EXPECT_EQ(zero.distance(zero), 0);
  Rng random(7);
  const CpModel other = random_model(shape, 2, random);
  EXPECT_NEAR(zero.distance(other), other.norm(), 1e-13 * other.norm());
  EXPECT_EQ(concatenate(zero, zero).rank(), 0);
  EXPECT_EQ(concatenate(zero, other).weights(), other.weights());
}

/// Components that live on one index of a mode each, as those of stacked slices do.
CpModel random_slices(const Shape& shape, int mode, int rank_each, Rng& random) {
  const auto rank = static_cast<int>(shape[mode]) * rank_each;
  std::vector<Matrix> factors = random_model(shape, rank, random).factors();
  Matrix& unit = factors[mode];
  unit.setZero();
  for (Index i = 0; i < rank; ++i) unit(i / rank_each, i) = 1;
  return {Vector::Ones(rank), std::move(factors)};
}

TEST(CpModel, DistanceOfModelsMadeOfSlices) {
  Rng random(10);
  for (const Shape& shape : {Shape{9, 10, 11}, Shape{12, 13}, Shape{9, 5, 4, 6}}) {
    for (int mode = 0; mode < shape.order(); ++mode) {
      const CpModel slices = random_slices(shape, mode, 2, random);
      const CpModel other = random_model(shape, 3, random);
      EXPECT_NEAR(slices.distance(other), (dense(slices) - dense(other)).norm(),
                  1e-12 * slices.norm());
      EXPECT_LT(slices.distance(slices), 1e-14 * slices.norm());
    }
  }
}

TEST(CpModel, DistanceOfTinyAndHugeModels) {
  Rng random(11);
  const CpModel model = random_model(Shape{5, 6, 7}, 3, random);
  for (const double scale : {1e-200, 1e200}) {
    const CpModel scaled(scale * model.weights(), model.factors());
    const double distance = scaled.distance(CpModel::zero(model.shape()));
    EXPECT_NEAR(distance / scale, model.norm(), 1e-12 * model.norm());
  }
}

// Eigen's own threads changed the blocking of the Grams, at some sizes more than at others.
TEST(CpModel, NormHasTheSameBitsForAnyNumberOfThreads) {
  Rng random(8);
  const int threads = omp_get_max_threads();
  for (const int rank : {20, 60, 100}) {
    const CpModel model = random_model(Shape{1000, 700, 3000}, rank, random);
    omp_set_num_threads(1);
    const double serial = model.norm();
    for (const int count : {2, 3}) {
      omp_set_num_threads(count);
      EXPECT_EQ(model.norm(), serial) << rank;
    }
  }
  omp_set_num_threads(threads);
}

TEST(KhatriRao, SecondMatrixRunsFastest) {
  Rng random(9);
  const Matrix a = test::random_matrix(3, 2, random);
  const Matrix b = test::random_matrix(4, 2, random);
  const Matrix product = khatri_rao(a, b);
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < 4; ++j) {
      for (Index c = 0; c < 2; ++c) EXPECT_EQ(product(i * 4 + j, c), a(i, c) * b(j, c));
    }
  }
}

}  // namespace
}  // namespace sunder
