#include "engine/pass.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "engine/engine.hpp"
#include "planted_problem.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

/// The definition of a pass, entry by entry.
struct Expected {
  std::vector<Matrix> mttkrp;
  PassStatistics statistics;
  std::vector<Index> positions;
  std::vector<double> values;
};

Expected by_definition(const TensorView& tensor, const CpModel& model, Rule rule,
                       const std::vector<Matrix>& probe) {
  Expected expected;
  const int order = tensor.order();
  for (const Matrix& factor : probe) {
    expected.mttkrp.push_back(Matrix::Zero(factor.rows(), factor.cols()));
  }
  for (Index position = 0; position < tensor.entries(); ++position) {
    const ModeIndices index = tensor.shape().unravel(position);
    const std::span<const Index> at(index.data(), static_cast<std::size_t>(order));
    const double x = tensor(at);
    if (std::isnan(x)) {
      ++expected.statistics.missing;
      continue;
    }
    const double r = x - model.entry(at);
    expected.statistics.data_square_sum += x * x;
    if (!rule.keeps(r)) {
      ++expected.statistics.rejected;
      expected.statistics.rejected_square_sum += r * r;
      expected.positions.push_back(position);
      expected.values.push_back(r);
      continue;
    }
    ++expected.statistics.kept;
    expected.statistics.kept_square_sum += r * r;
    for (int mode = 0; mode < order; ++mode) {
      Eigen::ArrayXd product = Eigen::ArrayXd::Constant(probe.front().cols(), r);
      for (int other = 0; other < order; ++other) {
        if (other == mode) continue;
        const auto o = static_cast<std::size_t>(other);
        product *= probe[o].row(index[o]).transpose().array();
      }
      const auto m = static_cast<std::size_t>(mode);
      expected.mttkrp[m].row(index[m]) += product.matrix().transpose();
    }
  }
  return expected;
}

ModeSet all_modes(int order) {
  ModeSet modes;
  for (int mode = 0; mode < order; ++mode) modes.set(static_cast<std::size_t>(mode));
  return modes;
}

void expect_close(const Matrix& actual, const Matrix& expected) {
  ASSERT_EQ(actual.rows(), expected.rows());
  ASSERT_EQ(actual.cols(), expected.cols());
  EXPECT_LE((actual - expected).norm(), 1e-11 * (1 + expected.norm()));
}

void expect_pass_by_definition(const TensorView& tensor, int rank, double threshold) {
  const CpModel model = test::random_model(tensor.shape(), rank, 3);
  const CpModel probe = test::random_model(tensor.shape(), rank + 2, 4);
  const Rule rule = Rule::hard_threshold(threshold);
  const Expected expected = by_definition(tensor, model, rule, probe.factors());
  const PassResult result = pass(tensor,
                                 {.model = &model,
                                  .rule = rule,
                                  .probe = &probe.factors(),
                                  .modes = all_modes(tensor.order()),
                                  .collect_sparse = true},
                                 2);
  for (std::size_t mode = 0; mode < result.mttkrp.size(); ++mode) {
    expect_close(result.mttkrp[mode], expected.mttkrp[mode]);
  }
  EXPECT_EQ(result.statistics.kept, expected.statistics.kept);
  EXPECT_EQ(result.statistics.rejected, expected.statistics.rejected);
  EXPECT_EQ(result.statistics.missing, expected.statistics.missing);
  EXPECT_NEAR(result.statistics.kept_square_sum, expected.statistics.kept_square_sum,
              1e-11 * (1 + expected.statistics.kept_square_sum));
  EXPECT_NEAR(result.statistics.data_square_sum, expected.statistics.data_square_sum,
              1e-11 * (1 + expected.statistics.data_square_sum));
  EXPECT_EQ(result.statistics.magnitudes.total(), result.statistics.observed());
  ASSERT_EQ(result.sparse.count(), static_cast<Index>(expected.positions.size()));
  for (std::size_t k = 0; k < expected.positions.size(); ++k) {
    EXPECT_EQ(result.sparse.positions()[k], expected.positions[k]);
    EXPECT_NEAR(result.sparse.values()[k], expected.values[k], 1e-11);
  }
}

/// A tensor of small whole numbers, which every type can hold; NaN here and there where it can.
DenseTensor numbers(const Shape& shape, ScalarType type, StorageOrder order) {
  DenseTensor tensor(shape, type, order);
  Rng rng(11);
  with_scalar_type(type, [&]<class T>() {
    for (T& x : tensor.typed<T>()) {
      x = static_cast<T>(rng.below(7));
      if (std::is_floating_point_v<T> && rng.bernoulli(0.1)) x = static_cast<T>(nan_value);
    }
  });
  return tensor;
}

TEST(Pass, FollowsItsDefinitionForEveryTypeAndOrder) {
  for (const ScalarType type : {ScalarType::f64, ScalarType::f32, ScalarType::u8, ScalarType::u16,
                                ScalarType::i16, ScalarType::i32}) {
    for (const StorageOrder order : {StorageOrder::c, StorageOrder::fortran}) {
      for (const Shape& shape : {Shape{7, 5}, Shape{6, 5, 4}, Shape{3, 4, 2, 5}, Shape{1, 9, 3},
                                 Shape{2, 1, 2, 3, 1, 2, 2, 3}}) {
        SCOPED_TRACE(std::string(to_string(type)) + " " + to_string(shape));
        expect_pass_by_definition(numbers(shape, type, order).view(), 2, 3.0);
      }
    }
  }
}

TEST(Pass, FollowsItsDefinitionAcrossTileBoundaries) {
  // Wider than a tile, more rows than a tile, and a slowest mode that chunks share.
  for (const Shape& shape :
       {Shape{3, 1500}, Shape{1500, 3}, Shape{2, 40, 1100}, Shape{70, 40, 30}}) {
    SCOPED_TRACE(to_string(shape));
    expect_pass_by_definition(numbers(shape, ScalarType::f64, StorageOrder::c).view(), 2, 3.0);
  }
}

TEST(Pass, ReadsStridedAndGroupedViews) {
  const DenseTensor tensor = numbers(Shape{8, 9, 10}, ScalarType::f32, StorageOrder::c);
  expect_pass_by_definition(tensor.view().slab(1, 2, 7).slab(2, 3, 9), 2, 3.0);
  expect_pass_by_definition(tensor.view().permuted(std::vector<int>{1, 2, 0}), 2, 3.0);
  expect_pass_by_definition(tensor.view().grouped(std::vector<int>{0, 1}), 2, 3.0);
}

TEST(Pass, AcceptsAModelOfRankZero) {
  const DenseTensor tensor = numbers(Shape{4, 5, 6}, ScalarType::f64, StorageOrder::c);
  expect_pass_by_definition(tensor.view(), 0, 3.0);
}

TEST(Pass, KeepsEverythingWithoutAThreshold) {
  const DenseTensor tensor = numbers(Shape{4, 5, 6}, ScalarType::u8, StorageOrder::c);
  const CpModel model = CpModel::zero(tensor.shape());
  const PassStatistics seen = pass(tensor.view(), {.model = &model}, 1).statistics;
  EXPECT_EQ(seen.kept, tensor.entries());
  EXPECT_EQ(seen.rejected, 0);
}

TEST(Pass, DoesNotPutZerosIntoTheSparsePart) {
  const DenseTensor tensor(Shape{3, 3});
  const CpModel model = CpModel::zero(tensor.shape());
  const PassRequest request{
      .model = &model, .rule = Rule::hard_threshold(0), .collect_sparse = true};
  EXPECT_EQ(pass(tensor.view(), request, 1).sparse.count(), 0);
}

TEST(Pass, GivesTheSameBitsForAnyNumberOfThreads) {
  for (const Shape& shape : {Shape{50, 60, 70}, Shape{3, 150, 150}, Shape{5000, 20}}) {
    PlantedOptions options = test::small_problem(1);
    options.shape = shape;
    options.density = 0.3;
    const PlantedTensor planted = generate_planted(options);
    const CpModel model = test::random_model(shape, 3, 5);
    const PassRequest request{.model = &model,
                              .rule = Rule::hard_threshold(0.5),
                              .modes = all_modes(shape.order()),
                              .collect_sparse = true};
    const PassResult one = pass(planted.tensor.view(), request, 1);
    for (const int threads : {2, 3, 7}) {
      const PassResult many = pass(planted.tensor.view(), request, threads);
      for (std::size_t mode = 0; mode < one.mttkrp.size(); ++mode) {
        EXPECT_TRUE((one.mttkrp[mode].array() == many.mttkrp[mode].array()).all());
      }
      EXPECT_EQ(one.statistics.kept_square_sum, many.statistics.kept_square_sum);
      EXPECT_EQ(one.statistics.rejected_square_sum, many.statistics.rejected_square_sum);
      EXPECT_TRUE(std::equal(one.sparse.values().begin(), one.sparse.values().end(),
                             many.sparse.values().begin(), many.sparse.values().end()));
    }
  }
}

TEST(Pass, RefusesAnInfiniteEntryAndSaysWhere) {
  DenseTensor tensor(Shape{4, 5, 6}, ScalarType::f32, StorageOrder::fortran);
  tensor.typed<float>()[1 + 4 * (2 + 5 * 3)] = -std::numeric_limits<float>::infinity();
  const CpModel model = CpModel::zero(tensor.shape());
  try {
    pass(tensor.view(), {.model = &model}, 2);
    FAIL() << "an infinite entry was accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("(1, 2, 3)"), std::string::npos) << error.what();
  }
}

TEST(Pass, StopsWhenItIsNoLongerWanted) {
  const DenseTensor tensor(Shape{100, 100, 100});
  const CpModel model = CpModel::zero(tensor.shape());
  int asked = 0;
  const auto refuse = [&] {
    ++asked;
    return Continue::cancel;
  };
  EXPECT_THROW(pass(tensor.view(), {.model = &model}, 1, refuse), Cancelled);
  EXPECT_EQ(asked, 1);
}

TEST(Engine, CountsItsPasses) {
  const DenseTensor tensor(Shape{4, 4});
  const CpModel model = CpModel::zero(tensor.shape());
  Engine engine(tensor.view(), 1);
  EXPECT_EQ(engine.passes(), 0);
  engine.pass({.model = &model});
  engine.pass({.model = &model});
  EXPECT_EQ(engine.passes(), 2);
}

}  // namespace
}  // namespace sunder
