#include <gtest/gtest.h>

#include "engine/pass/pass.hpp"
#include "engine/pass/pass_definition.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

using namespace test;

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

TEST(Pass, RefusesAListOfAliveIndicesOfAnotherShape) {
  const DenseTensor tensor(Shape{4, 5, 6});
  const CpModel model = CpModel::zero(tensor.shape());
  const auto alive = some_alive(Shape{4, 6, 5});
  PassRequest request{.model = &model, .slice_statistics = SliceDetail::counts};
  request.alive = &alive;
  EXPECT_THROW(pass(tensor.view(), request, 1), InputError);
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

}  // namespace
}  // namespace sunder
