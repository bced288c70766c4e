#include "sunder/algorithms/altproj.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "algorithms/matrix/matrix_method_checks.hpp"
#include "algorithms/method_checks.hpp"
#include "planted_problem.hpp"
#include "sunder/algorithms/evaluation.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

using test::of_rank;

PlantedOptions problem(const Shape& shape, int rank, double density, std::uint64_t seed) {
  PlantedOptions options = test::small_problem(seed);
  options.shape = shape;
  options.rank = rank;
  options.density = density;
  return options;
}

void expect_recovery(const Decomposition& result, const PlantedTensor& planted) {
  const Evaluation evaluation = evaluate(result, planted.low_rank, planted.sparse);
  EXPECT_LT(evaluation.error_low_rank, 1e-8);
  EXPECT_GT(evaluation.support.precision, 0.999);
  EXPECT_GT(evaluation.support.recall, 0.999);
  EXPECT_EQ(result.outcome, Outcome::converged);
  EXPECT_EQ(result.certificate.level, Certified::none);
  EXPECT_EQ(result.sparse_count, result.sparse.count());
  EXPECT_NEAR(result.sparse_norm, result.sparse.norm(), 1e-12 * result.sparse.norm());
}

TEST(AltProjFlat, RecoversSparseCorruptionAlongEveryMode) {
  for (const Shape& shape : {Shape{50, 40, 45}, Shape{100, 120}, Shape{30, 12, 10, 14}}) {
    for (int mode = 0; mode < shape.order(); ++mode) {
      if (shape[mode] < 30) continue;  // too few rows for rank 2
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const PlantedTensor planted = generate_planted(problem(shape, 2, 0.005, seed));
        SCOPED_TRACE(to_string(shape) + " along " + std::to_string(mode) + ", seed " +
                     std::to_string(seed));
        expect_recovery(altproj_flat(planted.tensor.view(), of_rank(2), {.flatten_mode = mode}),
                        planted);
      }
    }
  }
}

TEST(AltProjSlice, RecoversSparseCorruptionForEveryPairOfModes) {
  const Shape shape{50, 40, 45};
  for (const std::array<int, 2> modes : {std::array{0, 1}, {1, 2}, {2, 0}}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const PlantedTensor planted = generate_planted(problem(shape, 2, 0.003, seed));
      SCOPED_TRACE(std::to_string(modes[0]) + "," + std::to_string(modes[1]) + ", seed " +
                   std::to_string(seed));
      expect_recovery(altproj_slice(planted.tensor.view(), of_rank(2), {.slice_modes = modes}),
                      planted);
    }
  }
}

TEST(AltProj, AMatrixIsItsOwnFlatteningAndItsOnlySlice) {
  const PlantedTensor planted = generate_planted(problem(Shape{70, 60}, 2, 0.005, 1));
  const Decomposition flat = altproj_flat(planted.tensor.view(), of_rank(2), {});
  const Decomposition slice = altproj_slice(planted.tensor.view(), of_rank(2), {});
  EXPECT_EQ(flat.low_rank.rank(), 2);
  EXPECT_LT(flat.low_rank.distance(slice.low_rank), 1e-14 * flat.low_rank.norm());
  EXPECT_EQ(flat.passes, slice.passes);
  EXPECT_TRUE(std::equal(flat.sparse.positions().begin(), flat.sparse.positions().end(),
                         slice.sparse.positions().begin(), slice.sparse.positions().end()));
}

TEST(AltProj, BlocksThatTheTensorMethodRecoversAreTooMuchForMatrices) {
  PlantedOptions options = problem(Shape{60, 60, 60}, 3, 0.3, 1);
  options.support = Support::block;
  options.blocks = 5;
  const PlantedTensor planted = generate_planted(options);
  const auto error = [&](const Decomposition& result) {
    return evaluate(result, planted.low_rank, planted.sparse).error_low_rank;
  };
  EXPECT_GT(error(altproj_flat(planted.tensor.view(), of_rank(3), {})), 0.03);
  EXPECT_GT(error(altproj_slice(planted.tensor.view(), of_rank(3), {})), 0.03);
}

TEST(AltProj, ASmallerThresholdGetsFurther) {
  const PlantedTensor planted = generate_planted(problem(Shape{60, 50, 40}, 2, 0.15, 1));
  const auto error = [&](double reduction) {
    const AltProjFlatOptions options{.matrix = {.reduction = reduction}};
    return evaluate(altproj_flat(planted.tensor.view(), of_rank(2), options), planted.low_rank,
                    planted.sparse)
        .error_low_rank;
  };
  EXPECT_LT(error(0.9), 0.1 * error(1));
}

TEST(AltProj, FillsInMissingEntries) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    PlantedOptions options = problem(Shape{50, 40, 45}, 2, 0.003, seed);
    options.missing = 0.05;
    const PlantedTensor planted = generate_planted(options);
    SCOPED_TRACE("seed " + std::to_string(seed));
    for (const Decomposition& result : {altproj_flat(planted.tensor.view(), of_rank(2), {}),
                                        altproj_slice(planted.tensor.view(), of_rank(2), {})}) {
      EXPECT_LT(evaluate(result, planted.low_rank, planted.sparse).error_low_rank, 1e-6);
      EXPECT_NEAR(static_cast<double>(result.missing_count), 0.05 * 90000,
                  5 * std::sqrt(90000 * 0.05));
    }
  }
}

TEST(AltProjSlice, ASliceWithoutEntriesIsZero) {
  PlantedTensor planted = generate_planted(problem(Shape{40, 40, 3}, 1, 0.005, 1));
  for (Index at = 1; at < planted.tensor.entries(); at += 3) {
    planted.tensor.typed<double>()[at] = std::numeric_limits<double>::quiet_NaN();
  }
  const Decomposition result = altproj_slice(planted.tensor.view(), of_rank(1), {});
  EXPECT_EQ(result.missing_count, 1600);
  EXPECT_EQ(result.low_rank.rank(), 2);
  EXPECT_EQ(result.low_rank.entry({3, 4, 1}), 0);
  EXPECT_NEAR(result.low_rank.entry({3, 4, 2}), planted.low_rank.entry({3, 4, 2}), 1e-9);
}

TEST(AltProj, UnderNoiseTheErrorIsThatOfTheNoise) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    PlantedOptions options = problem(Shape{50, 40, 45}, 2, 0.005, seed);
    options.noise = 0.02;
    options.magnitude = 3;
    const PlantedTensor planted = generate_planted(options);
    const Decomposition result = altproj_flat(planted.tensor.view(), of_rank(2), {});
    const Evaluation evaluation = evaluate(result, planted.low_rank, planted.sparse);
    // The truncated decomposition of L + noise leaves about 0.02 sqrt(2 (50 + 1800) / 90000).
    EXPECT_LT(evaluation.error_low_rank, 0.006) << "seed " << seed;
    EXPECT_GT(evaluation.support.recall, 0.98);
    EXPECT_EQ(result.outcome, Outcome::converged);
  }
}

TEST(AltProj, SinglePrecisionIsRecoveredToItsOwnRounding) {
  PlantedOptions options = problem(Shape{50, 40, 45}, 2, 0.005, 1);
  options.type = ScalarType::f32;
  const PlantedTensor planted = generate_planted(options);
  const Decomposition result = altproj_flat(planted.tensor.view(), of_rank(2), {});
  EXPECT_LT(evaluate(result, planted.low_rank, planted.sparse).error_low_rank, 1e-6);
  EXPECT_EQ(result.outcome, Outcome::converged);
}

TEST(AltProj, ARankAboveTheTrueOneIsNoTrouble) {
  const PlantedTensor planted = generate_planted(problem(Shape{50, 40, 45}, 1, 0.005, 2));
  const Decomposition flat = altproj_flat(planted.tensor.view(), of_rank(3), {});
  EXPECT_LT(evaluate(flat, planted.low_rank, planted.sparse).error_low_rank, 1e-8);
  // In a slice where L is weak, large entries of S may take the place of the missing components.
  const Decomposition slice = altproj_slice(planted.tensor.view(), of_rank(3), {});
  EXPECT_LT(evaluate(slice, planted.low_rank, planted.sparse).error_low_rank, 0.05);
}

TEST(AltProj, GivesTheSameBitsForAnyNumberOfThreads) {
  const PlantedTensor planted = generate_planted(problem(Shape{60, 50, 40}, 2, 0.005, 3));
  RunOptions run = of_rank(2);
  const Decomposition flat = altproj_flat(planted.tensor.view(), run, {});
  const Decomposition slice = altproj_slice(planted.tensor.view(), run, {});
  for (const int threads : {2, 3}) {
    run.threads = threads;
    const auto same = [](const Decomposition& one, const Decomposition& many) {
      for (int mode = 0; mode < 3; ++mode) {
        const Matrix& factor = many.low_rank.factor(mode);
        EXPECT_TRUE((one.low_rank.factor(mode).array() == factor.array()).all());
      }
      EXPECT_TRUE(std::equal(one.sparse.values().begin(), one.sparse.values().end(),
                             many.sparse.values().begin(), many.sparse.values().end()));
    };
    same(flat, altproj_flat(planted.tensor.view(), run, {}));
    same(slice, altproj_slice(planted.tensor.view(), run, {}));
  }
}

TEST(AltProj, ScalingTheDataScalesTheResult) {
  PlantedTensor planted = generate_planted(problem(Shape{50, 40, 45}, 2, 0.005, 5));
  test::expect_result_scales(
      planted.tensor, [&] { return altproj_flat(planted.tensor.view(), of_rank(2), {}); }, 0);
}

TEST(AltProj, ThePermutedTensorHasThePermutedResult) {
  const PlantedTensor planted = generate_planted(problem(Shape{50, 40, 45}, 2, 0.005, 6));
  const std::array<int, 3> modes{2, 0, 1};
  const TensorView turned = planted.tensor.view().permuted(modes);
  const Decomposition plain = altproj_flat(planted.tensor.view(), of_rank(2), {.flatten_mode = 2});
  const Decomposition result = altproj_flat(turned, of_rank(2), {.flatten_mode = 0});
  const CpModel back = test::turned_back(result.low_rank);
  EXPECT_LT(back.distance(plain.low_rank), 1e-12 * back.norm());
}

TEST(AltProj, EndsCleanlyOnDegenerateData) {
  test::for_constant_tensors({0, 1, -3}, test::degenerate_shapes(), [](const DenseTensor& tensor) {
    for (const Decomposition& result : {altproj_flat(tensor.view(), of_rank(1), {}),
                                        altproj_slice(tensor.view(), of_rank(1), {})}) {
      EXPECT_EQ(result.outcome, Outcome::converged);
      EXPECT_EQ(result.low_rank.shape(), tensor.shape());
      EXPECT_EQ(result.sparse_count, 0);
      EXPECT_NEAR(result.low_rank.norm(), test::norm_of(tensor), 1e-9);
    }
  });
}

TEST(AltProj, TheTraceCountsPasses) {
  const PlantedTensor planted = generate_planted(problem(Shape{50, 40, 45}, 2, 0.005, 7));
  for (const Decomposition& result : {altproj_flat(planted.tensor.view(), of_rank(2), {}),
                                      altproj_slice(planted.tensor.view(), of_rank(2), {})}) {
    ASSERT_FALSE(result.trace.empty());
    for (std::size_t k = 1; k < result.trace.size(); ++k) {
      EXPECT_GE(result.trace[k].pass, result.trace[k - 1].pass);
    }
    EXPECT_EQ(result.passes, result.trace.back().pass + 1);  // the last pass lists S
    EXPECT_LT(result.trace.back().kept_residual, 1e-8);
    EXPECT_NEAR(result.trace.back().sparse_fraction, 0.005, 0.002);
  }
}

TEST(AltProj, SaysWhenTheIterationsDidNotSuffice) {
  const PlantedTensor planted = generate_planted(problem(Shape{50, 40, 45}, 2, 0.005, 8));
  test::expect_outcome(altproj_flat, altproj_slice, planted.tensor.view(), of_rank(2),
                       {.max_iterations = 4}, Outcome::iteration_limit);
}

TEST(AltProj, CountsTheSparsePartWithoutListingIt) {
  const PlantedTensor planted = generate_planted(problem(Shape{50, 40, 45}, 2, 0.005, 9));
  RunOptions run = of_rank(2);
  run.collect_sparse = false;
  for (const Decomposition& result : {altproj_flat(planted.tensor.view(), run, {}),
                                      altproj_slice(planted.tensor.view(), run, {})}) {
    EXPECT_EQ(result.sparse.count(), 0);
    EXPECT_EQ(result.sparse_count, planted.sparse.count());
  }
}

TEST(AltProj, CanBeCancelled) {
  const PlantedTensor planted = generate_planted(problem(Shape{50, 40, 45}, 2, 0.005, 9));
  for (const int threads : {1, 2}) {
    test::expect_outcome(altproj_flat, altproj_slice, planted.tensor.view(),
                         test::cancelled_at(20, of_rank(2, 1, threads)), {}, Outcome::cancelled);
  }
}

TEST(AltProj, RefusesWhatItCannotUse) {
  const std::vector<AltProjOptions> wrong = {
      {.mu = -1}, {.reduction = 0}, {.tolerance = 0}, {.max_iterations = 0}};
  test::expect_matrix_method_refuses(altproj_flat, altproj_slice, wrong);
}

}  // namespace
}  // namespace sunder
