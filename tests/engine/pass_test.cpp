#include "engine/pass.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/engine.hpp"
#include "engine/kernels/reference/pass.hpp"
#include "engine/source.hpp"
#include "planted_problem.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

void expect_close(const Matrix& actual, const Matrix& expected, double rounding) {
  ASSERT_EQ(actual.rows(), expected.rows());
  ASSERT_EQ(actual.cols(), expected.cols());
  EXPECT_LE((actual - expected).norm(), rounding * (1 + expected.norm()));
}

void expect_close(double actual, double expected, double rounding) {
  EXPECT_NEAR(actual, expected, rounding * (1 + std::abs(expected)));
}

void expect_same_slices(const SliceStatistics& actual, const SliceStatistics& expected,
                        double rounding) {
  EXPECT_EQ(actual.observed, expected.observed);
  EXPECT_EQ(actual.fitted, expected.fitted);
  EXPECT_EQ(actual.kept, expected.kept);
  ASSERT_EQ(actual.extent(), expected.extent());
  for (std::size_t i = 0; i < expected.kept_square_sum.size(); ++i) {
    expect_close(actual.kept_square_sum[i], expected.kept_square_sum[i], rounding);
  }
}

/// Whether any residual lies so close to a decision that rounding may take it either way.
bool has_ties(const TensorView& tensor, const PassRequest& request) {
  if (request.model->rank() == 0) return false;  // whole numbers are exact
  PassRequest listing{.model = request.model, .rule = Rule::hard_threshold(0)};
  listing.collect_sparse = true;
  const double rounding = request.precision == Precision::f32 ? 1e-5 : 1e-11;
  const SparseTensor residuals = reference::pass(tensor, listing).sparse;
  return std::any_of(residuals.values().begin(), residuals.values().end(), [&](double r) {
    return std::abs(std::abs(r) - request.rule.scale) < rounding ||
           std::abs(std::abs(r) - request.fit_tolerance) < rounding;
  });
}

void expect_by_definition(const TensorView& tensor, const PassRequest& request) {
  ASSERT_FALSE(has_ties(tensor, request)) << "choose another threshold or seed";
  const double rounding = request.precision == Precision::f32 ? 2e-5 : 1e-11;
  const PassResult expected = reference::pass(tensor, request);
  const PassResult actual = pass(tensor, request, 2);
  ASSERT_EQ(actual.mttkrp.size(), expected.mttkrp.size());
  for (std::size_t mode = 0; mode < expected.mttkrp.size(); ++mode) {
    expect_close(actual.mttkrp[mode], expected.mttkrp[mode], rounding);
  }
  const PassStatistics& seen = actual.statistics;
  const PassStatistics& wanted = expected.statistics;
  EXPECT_EQ(seen.kept, wanted.kept);
  EXPECT_EQ(seen.rejected, wanted.rejected);
  EXPECT_EQ(seen.missing, wanted.missing);
  expect_close(seen.kept_square_sum, wanted.kept_square_sum, rounding);
  expect_close(seen.rejected_square_sum, wanted.rejected_square_sum, rounding);
  expect_close(seen.weight_sum, wanted.weight_sum, rounding);
  expect_close(seen.cost_sum, wanted.cost_sum, rounding);
  expect_close(seen.data_square_sum, wanted.data_square_sum, rounding);
  expect_close(seen.data_max, wanted.data_max, rounding);
  EXPECT_EQ(seen.magnitudes.total(), wanted.magnitudes.total());
  ASSERT_EQ(actual.slices.size(), expected.slices.size());
  for (std::size_t mode = 0; mode < expected.slices.size(); ++mode) {
    expect_same_slices(actual.slices[mode], expected.slices[mode], rounding);
  }
  ASSERT_EQ(actual.sparse.count(), expected.sparse.count());
  for (std::size_t k = 0; k < expected.sparse.values().size(); ++k) {
    EXPECT_EQ(actual.sparse.positions()[k], expected.sparse.positions()[k]);
    expect_close(actual.sparse.values()[k], expected.sparse.values()[k], rounding);
  }
}

/// Every output, and a probe of another rank.
void expect_all_outputs(const TensorView& tensor, int rank, Rule rule, Precision precision) {
  const CpModel model = test::random_model(tensor.shape(), rank, 3);
  const CpModel probe = test::random_model(tensor.shape(), rank + 2, 4);
  PassRequest request{.model = &model, .rule = rule, .probe = &probe.factors()};
  request.modes = all_modes(tensor.order());
  request.precision = precision;
  request.data_statistics = request.histogram = true;
  request.slice_statistics = SliceDetail::full;
  request.collect_sparse = true;
  request.fit_tolerance = 1.0123456;
  expect_by_definition(tensor, request);
}

/// Some indices of every mode whose rows are zero; the first is alive.
std::vector<std::vector<std::uint8_t>> some_alive(const Shape& shape) {
  Rng rng(17);
  std::vector<std::vector<std::uint8_t>> alive;
  for (const Index extent : shape) {
    alive.emplace_back(static_cast<std::size_t>(extent), std::uint8_t{1});
    for (std::size_t i = 1; i < alive.back().size(); ++i) {
      alive.back()[i] = rng.bernoulli(0.7) ? 1 : 0;
    }
  }
  return alive;
}

/// What a verification asks for: slices and S, no products. The same with the tolerance equal to
/// the threshold, and with some rows of the model that are zero.
void expect_verification(const TensorView& tensor, int rank, Rule rule, Precision precision,
                         const TensorView* mask = nullptr) {
  const CpModel model = test::random_model(tensor.shape(), rank, 3);
  const auto alive = some_alive(tensor.shape());
  PassRequest request{.model = &model, .rule = rule};
  request.precision = precision;
  request.mask = mask;
  for (const SliceDetail detail : {SliceDetail::counts, SliceDetail::full}) {
    request.slice_statistics = detail;
    for (const double tolerance : {rule.scale, 1.0123456}) {
      request.fit_tolerance = tolerance;
      for (const auto* some : {static_cast<decltype(&alive)>(nullptr), &alive}) {
        request.alive = some;
        request.collect_sparse = !request.collect_sparse;
        expect_by_definition(tensor, request);
      }
    }
  }
  request.slice_statistics = SliceDetail::counts;
  request.modes = all_modes(tensor.order());
  expect_by_definition(tensor, request);
}

/// What an iteration asks for: MTTKRPs and sums alone, with the model's own factors.
void expect_iteration(const TensorView& tensor, int rank, Rule rule, Precision precision,
                      ModeSet modes) {
  const CpModel model = test::random_model(tensor.shape(), rank, 3);
  PassRequest request{.model = &model, .rule = rule, .modes = modes};
  request.precision = precision;
  expect_by_definition(tensor, request);
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

constexpr ScalarType every_type[] = {ScalarType::f64, ScalarType::f32, ScalarType::u8,
                                     ScalarType::u16, ScalarType::i16, ScalarType::i32};
constexpr Precision both_precisions[] = {Precision::f64, Precision::f32};
const Rule every_rule[] = {Rule::keep_all(), Rule::hard_threshold(2.98765),
                           Rule::geman_mcclure(2.98765), Rule::huber(2.98765),
                           Rule::tukey(2.98765)};
const Rule threshold = Rule::hard_threshold(2.98765);

std::string name(ScalarType type, const Shape& shape, Precision precision) {
  return std::string(to_string(type)) + " " + to_string(shape) +
         (precision == Precision::f32 ? " in f32" : " in f64");
}

TEST(Pass, FollowsItsDefinitionForEveryTypeAndOrder) {
  for (const ScalarType type : every_type) {
    for (const StorageOrder order : {StorageOrder::c, StorageOrder::fortran}) {
      for (const Shape& shape : {Shape{7, 5}, Shape{6, 5, 4}, Shape{3, 4, 2, 5}, Shape{1, 9, 3},
                                 Shape{2, 1, 2, 3, 1, 2, 2, 3}}) {
        for (const Precision precision : both_precisions) {
          SCOPED_TRACE(name(type, shape, precision));
          expect_all_outputs(numbers(shape, type, order).view(), 2, threshold, precision);
        }
      }
    }
  }
}

TEST(Pass, FollowsItsDefinitionForEveryRule) {
  for (const Rule& rule : every_rule) {
    for (const ScalarType type : {ScalarType::f64, ScalarType::f32, ScalarType::u8}) {
      for (const Precision precision : both_precisions) {
        SCOPED_TRACE(name(type, Shape{5, 7, 37}, precision));
        const DenseTensor tensor = numbers(Shape{5, 7, 37}, type, StorageOrder::c);
        expect_all_outputs(tensor.view(), 3, rule, precision);
        expect_iteration(tensor.view(), 3, rule, precision, all_modes(3));
      }
    }
  }
}

TEST(Pass, FollowsItsDefinitionForEveryRankAndRaggedEdge) {
  // Rows around strips of three and four, columns around one to four vectors of either precision.
  for (const int rank : {1, 2, 3, 5, 8, 25}) {
    for (const Index rows : {1, 3, 4, 8}) {
      for (const Index columns : {1, 4, 9, 16, 31, 33, 67}) {
        for (const Precision precision : both_precisions) {
          const Shape shape{2, rows, columns};
          SCOPED_TRACE(name(ScalarType::f64, shape, precision) + " rank " + std::to_string(rank));
          const ScalarType type = precision == Precision::f64 ? ScalarType::f64 : ScalarType::f32;
          expect_iteration(numbers(shape, type, StorageOrder::c).view(), rank, threshold, precision,
                           all_modes(3));
        }
      }
    }
  }
}

TEST(Pass, FollowsItsDefinitionInStreamsOfBytes) {
  for (const int rank : {1, 2}) {
    for (const Precision precision : both_precisions) {
      for (const Rule& rule : {Rule::keep_all(), threshold}) {
        const DenseTensor tensor = numbers(Shape{3, 13, 45}, ScalarType::u8, StorageOrder::c);
        expect_iteration(tensor.view(), rank, rule, precision, all_modes(3));
      }
    }
  }
}

TEST(Pass, LeavesOutSumsThatNobodyWants) {
  for (const ScalarType type : {ScalarType::u8, ScalarType::f32}) {
    const DenseTensor tensor = numbers(Shape{3, 13, 45}, type, StorageOrder::c);
    const CpModel model = test::random_model(tensor.shape(), 1, 3);
    PassRequest request{.model = &model, .rule = threshold};
    request.modes = all_modes(3);
    request.sums = false;
    expect_by_definition(tensor.view(), request);
    EXPECT_EQ(pass(tensor.view(), request, 1).statistics.observed(), 0);
  }
}

TEST(Pass, CountsAliveEntriesForEveryTypeAndOrder) {
  for (const ScalarType type : every_type) {
    for (const StorageOrder order : {StorageOrder::c, StorageOrder::fortran}) {
      for (const Shape& shape : {Shape{7, 37}, Shape{6, 5, 36}, Shape{3, 4, 2, 19}}) {
        for (const Precision precision : both_precisions) {
          SCOPED_TRACE(name(type, shape, precision));
          expect_verification(numbers(shape, type, order).view(), 2, threshold, precision);
        }
      }
    }
  }
}

TEST(Pass, CountsAliveEntriesForEveryRuleAndRaggedEdge) {
  for (const Rule& rule : every_rule) {
    for (const Precision precision : both_precisions) {
      const ScalarType type = precision == Precision::f64 ? ScalarType::f64 : ScalarType::f32;
      for (const Index columns : {1, 9, 32, 67, 131}) {
        for (const int rank : {0, 1, 5}) {
          const Shape shape{2, 7, columns};
          SCOPED_TRACE(name(type, shape, precision) + " rank " + std::to_string(rank));
          expect_verification(numbers(shape, type, StorageOrder::c).view(), rank, rule, precision);
        }
      }
    }
  }
}

TEST(Pass, CountsAliveEntriesThroughAMask) {
  const DenseTensor tensor = numbers(Shape{5, 7, 37}, ScalarType::f32, StorageOrder::c);
  DenseTensor mask(tensor.shape(), ScalarType::u8);
  Rng rng(6);
  for (auto& m : mask.typed<std::uint8_t>()) m = rng.bernoulli(0.8) ? 1 : 0;
  const TensorView mask_view = mask.view();
  for (const Precision precision : both_precisions) {
    expect_verification(tensor.view(), 3, threshold, precision, &mask_view);
  }
}

TEST(Pass, CountsAcrossTileBoundaries) {
  for (const Shape& shape : {Shape{2, 50, 1100}, Shape{700, 90}, Shape{3, 5, 30, 130}}) {
    const DenseTensor wide = numbers(shape, ScalarType::f64, StorageOrder::c);
    expect_verification(wide.view(), 3, threshold, Precision::f64);
    const DenseTensor narrow = numbers(shape, ScalarType::f32, StorageOrder::c);
    expect_verification(narrow.view(), 0, threshold, Precision::f32);
  }
}

/// What a sink was given, and whether in order.
struct Sunk {
  std::vector<Index> positions;
  std::vector<double> values;

  SparseSink sink() {
    return [this](std::span<const Index> where, std::span<const double> what) {
      EXPECT_FALSE(where.empty());
      positions.insert(positions.end(), where.begin(), where.end());
      values.insert(values.end(), what.begin(), what.end());
    };
  }
};

TEST(Pass, HandsTheSparsePartToASinkInOrder) {
  for (const Shape& shape : {Shape{40, 50, 60}, Shape{7, 1500}, Shape{30, 3000}}) {
    for (const Precision precision : both_precisions) {
      const DenseTensor tensor = numbers(shape, ScalarType::f64, StorageOrder::c);
      const CpModel model = test::random_model(shape, 3, 3);
      PassRequest request{.model = &model, .rule = threshold, .precision = precision};
      request.collect_sparse = true;
      const SparseTensor expected = pass(tensor.view(), request, 1).sparse;
      ASSERT_GT(expected.count(), 100);
      ASSERT_TRUE(finds_in_order(tensor.view()));
      for (const int threads : {1, 2, 3}) {
        Sunk sunk;
        request.collect_sparse = false;
        request.sparse_sink = sunk.sink();
        EXPECT_EQ(pass(tensor.view(), request, threads).sparse.count(), 0);
        EXPECT_TRUE(std::equal(sunk.positions.begin(), sunk.positions.end(),
                               expected.positions().begin(), expected.positions().end()));
        EXPECT_TRUE(std::equal(sunk.values.begin(), sunk.values.end(), expected.values().begin(),
                               expected.values().end()));
      }
    }
  }
}

TEST(Pass, SaysWhenASinkGetsAnotherOrder) {
  const DenseTensor tensor = numbers(Shape{4, 5, 6}, ScalarType::f64, StorageOrder::fortran);
  EXPECT_FALSE(finds_in_order(tensor.view()));
  const CpModel model = CpModel::zero(tensor.shape());
  Sunk sunk;
  PassRequest request{.model = &model, .rule = threshold};
  request.sparse_sink = sunk.sink();
  pass(tensor.view(), request, 2);
  request.sparse_sink = {};
  request.collect_sparse = true;
  const SparseTensor expected = pass(tensor.view(), request, 1).sparse;
  EXPECT_FALSE(std::is_sorted(sunk.positions.begin(), sunk.positions.end()));
  std::sort(sunk.positions.begin(), sunk.positions.end());
  EXPECT_TRUE(std::equal(sunk.positions.begin(), sunk.positions.end(), expected.positions().begin(),
                         expected.positions().end()));
}

TEST(Pass, LetsTheErrorOfASinkThrough) {
  const DenseTensor tensor = numbers(Shape{60, 60, 60}, ScalarType::f64, StorageOrder::c);
  const CpModel model = CpModel::zero(tensor.shape());
  PassRequest request{.model = &model, .rule = threshold};
  request.sparse_sink = [](auto, auto) { throw InputError("full"); };
  for (const int threads : {1, 3}) EXPECT_THROW(pass(tensor.view(), request, threads), InputError);
}

TEST(Pass, KnowsTheRoundingOfItsArithmetic) {
  EXPECT_EQ(rounding_of(ScalarType::f64, Precision::f64), std::ldexp(1.0, -53));
  EXPECT_EQ(rounding_of(ScalarType::u8, Precision::f64), std::ldexp(1.0, -53));
  EXPECT_EQ(rounding_of(ScalarType::f32, Precision::f64), std::ldexp(1.0, -24));
  EXPECT_EQ(rounding_of(ScalarType::f64, Precision::f32), std::ldexp(1.0, -24));
}

TEST(Pass, RefusesAListOfAliveIndicesOfAnotherShape) {
  const DenseTensor tensor(Shape{4, 5, 6});
  const CpModel model = CpModel::zero(tensor.shape());
  const auto alive = some_alive(Shape{4, 6, 5});
  PassRequest request{.model = &model, .slice_statistics = SliceDetail::counts};
  request.alive = &alive;
  EXPECT_THROW(pass(tensor.view(), request, 1), InputError);
}

TEST(Pass, ComputesTheModesAskedForAlone) {
  const DenseTensor tensor = numbers(Shape{5, 7, 37}, ScalarType::f64, StorageOrder::c);
  for (const int rank : {1, 6}) {
    for (int mode = 0; mode < 3; ++mode) {
      expect_iteration(tensor.view(), rank, threshold, Precision::f64, only_mode(mode));
    }
    expect_iteration(tensor.view(), rank, threshold, Precision::f64, {});
  }
}

TEST(Pass, FollowsItsDefinitionAcrossTileBoundaries) {
  // Wider than a tile, more rows than a tile, and a slowest mode that chunks share.
  for (const Shape& shape :
       {Shape{3, 2500}, Shape{9000, 3}, Shape{2, 40, 1100}, Shape{70, 40, 30}}) {
    SCOPED_TRACE(to_string(shape));
    const DenseTensor tensor = numbers(shape, ScalarType::f64, StorageOrder::c);
    expect_all_outputs(tensor.view(), 2, threshold, Precision::f64);
    expect_iteration(tensor.view(), 1, threshold, Precision::f64, all_modes(shape.order()));
  }
}

TEST(Pass, ReadsStridedAndGroupedViews) {
  const DenseTensor tensor = numbers(Shape{8, 9, 10}, ScalarType::f32, StorageOrder::c);
  for (const TensorView& view :
       {tensor.view().slab(1, 2, 7).slab(2, 3, 9),
        tensor.view().permuted(std::vector<int>{1, 2, 0}),
        tensor.view().grouped(std::vector<int>{0, 1}),
        TensorView(tensor.data(), ScalarType::f32, Shape{4, 9, 5}, ModeIndices{180, 10, 2})}) {
    expect_all_outputs(view, 2, threshold, Precision::f64);
    expect_iteration(view, 1, threshold, Precision::f32, all_modes(view.order()));
  }
}

TEST(Pass, LeavesOutWhatAMaskHides) {
  for (const ScalarType type : {ScalarType::f64, ScalarType::u8}) {
    const DenseTensor tensor = numbers(Shape{5, 6, 20}, type, StorageOrder::c);
    DenseTensor mask(tensor.shape(), ScalarType::u8, StorageOrder::fortran);
    Rng rng(5);
    for (auto& m : mask.typed<std::uint8_t>()) m = rng.bernoulli(0.7) ? 255 : 0;
    const TensorView mask_view = mask.view();
    const CpModel model = test::random_model(tensor.shape(), 2, 3);
    for (const Rule& rule : every_rule) {
      PassRequest request{.model = &model, .rule = rule, .modes = all_modes(3), .mask = &mask_view};
      request.collect_sparse = true;
      request.slice_statistics = SliceDetail::full;
      expect_by_definition(tensor.view(), request);
    }
  }
}

TEST(Pass, AcceptsAModelOfRankZero) {
  const DenseTensor tensor = numbers(Shape{4, 5, 6}, ScalarType::f64, StorageOrder::c);
  expect_all_outputs(tensor.view(), 0, threshold, Precision::f64);
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
  for (const Precision precision : both_precisions) {
    for (const Shape& shape : {Shape{50, 60, 70}, Shape{3, 150, 150}, Shape{5000, 20}}) {
      PlantedOptions options = test::small_problem(1);
      options.shape = shape;
      options.density = 0.3;
      const PlantedTensor planted = generate_planted(options);
      const CpModel model = test::random_model(shape, 3, 5);
      const PassRequest request{.model = &model,
                                .rule = Rule::hard_threshold(0.5),
                                .modes = all_modes(shape.order()),
                                .precision = precision,
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
}

TEST(Pass, VerifiesWithTheSameBitsForAnyNumberOfThreads) {
  for (const Precision precision : both_precisions) {
    PlantedOptions options = test::small_problem(1);
    options.shape = Shape{50, 60, 70};
    options.density = 0.3;
    const PlantedTensor planted = generate_planted(options);
    const CpModel model = test::random_model(options.shape, 5, 5);
    const auto alive = some_alive(options.shape);
    PassRequest request{.model = &model, .rule = Rule::hard_threshold(0.5)};
    request.precision = precision;
    request.slice_statistics = SliceDetail::counts;
    request.fit_tolerance = 0.5;
    for (const auto* some : {static_cast<decltype(&alive)>(nullptr), &alive}) {
      request.alive = some;
      const PassResult one = pass(planted.tensor.view(), request, 1);
      for (const int threads : {2, 3}) {
        const PassResult many = pass(planted.tensor.view(), request, threads);
        EXPECT_EQ(one.statistics.kept, many.statistics.kept);
        EXPECT_EQ(one.statistics.kept_square_sum, many.statistics.kept_square_sum);
        EXPECT_EQ(one.statistics.rejected_square_sum, many.statistics.rejected_square_sum);
        for (std::size_t mode = 0; mode < 3; ++mode) {
          expect_same_slices(many.slices[mode], one.slices[mode], 0);
        }
      }
    }
  }
}

TEST(Pass, RefusesAnInfiniteEntryAndSaysWhere) {
  DenseTensor tensor(Shape{4, 5, 6}, ScalarType::f32, StorageOrder::fortran);
  tensor.typed<float>()[1 + 4 * (2 + 5 * 3)] = -std::numeric_limits<float>::infinity();
  for (const int rank : {0, 1, 3}) {
    const CpModel model = test::random_model(tensor.shape(), rank, 1);
    for (const Rule& rule : every_rule) {
      try {
        pass(tensor.view(), {.model = &model, .rule = rule, .modes = all_modes(3)}, 2);
        FAIL() << "an infinite entry was accepted";
      } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("(1, 2, 3)"), std::string::npos) << error.what();
      }
    }
  }
}

TEST(Pass, RefusesAModelOfAnotherShape) {
  const DenseTensor tensor(Shape{4, 5, 6});
  const CpModel model = CpModel::zero(Shape{4, 6, 5});
  EXPECT_THROW(pass(tensor.view(), {.model = &model}, 1), InputError);
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
