#include "engine/pass/pass.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/engine.hpp"
#include "engine/pass/pass_definition.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

using namespace test;

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

/// What an iteration asks for: MTTKRPs and sums alone, with the model's own factors.
void expect_iteration(const TensorView& tensor, int rank, Rule rule, Precision precision,
                      ModeSet modes) {
  const CpModel model = test::random_model(tensor.shape(), rank, 3);
  PassRequest request{.model = &model, .rule = rule, .modes = modes};
  request.precision = precision;
  expect_by_definition(tensor, request);
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

TEST(Pass, KnowsTheRoundingOfItsArithmetic) {
  EXPECT_EQ(rounding_of(ScalarType::f64, Precision::f64), std::ldexp(1.0, -53));
  EXPECT_EQ(rounding_of(ScalarType::u8, Precision::f64), std::ldexp(1.0, -53));
  EXPECT_EQ(rounding_of(ScalarType::f32, Precision::f64), std::ldexp(1.0, -24));
  EXPECT_EQ(rounding_of(ScalarType::f64, Precision::f32), std::ldexp(1.0, -24));
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
