#include "sunder/algorithms/shah.hpp"

#include <gtest/gtest.h>

#include "algorithms/method_checks.hpp"
#include "planted_problem.hpp"
#include "sunder/algorithms/evaluation.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

using test::of_rank;

PlantedTensor planted_tensor(const Shape& shape, int rank, double density, std::uint64_t seed) {
  PlantedOptions options;
  options.shape = shape;
  options.rank = rank;
  options.density = density;
  options.signs = Signs::random;
  options.seed = seed;
  return generate_planted(options);
}

// Shah et al. (2015), Section 2.2: 50 x 50 x 50, ranks 1 to 4, few corrupted entries.
TEST(Shah, RecoversTheSmallTensorsOfItsPaper) {
  for (const int rank : {1, 4}) {
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
      const PlantedTensor planted = planted_tensor(Shape{50, 50, 50}, rank, 0.001, seed);
      const Decomposition result = shah(planted.tensor.view(), of_rank(rank, seed), {});
      const Evaluation evaluation = evaluate(result, planted.low_rank, planted.sparse);
      SCOPED_TRACE("rank " + std::to_string(rank) + ", seed " + std::to_string(seed));
      EXPECT_LT(evaluation.error_low_rank, 1e-6);
      EXPECT_GT(evaluation.support.precision, 0.99);
      EXPECT_GT(evaluation.support.recall, 0.99);
      EXPECT_EQ(result.outcome, Outcome::converged);
      EXPECT_EQ(result.certificate.level, Certified::none);
      EXPECT_EQ(result.low_rank.rank(), rank);
      EXPECT_EQ(result.passes, 3);
    }
  }
}

TEST(Shah, ContractsAlongAnyMode) {
  const PlantedTensor planted = planted_tensor(Shape{40, 45, 50}, 3, 0.001, 1);
  for (int mode = 0; mode < 3; ++mode) {
    const Decomposition result = shah(planted.tensor.view(), of_rank(3), {.contract_mode = mode});
    EXPECT_LT(evaluate(result, planted.low_rank, planted.sparse).error_low_rank, 1e-6)
        << "mode " << mode;
  }
}

TEST(Shah, AContractionOfFewSlicesStaysSparse) {
  const PlantedTensor planted = planted_tensor(Shape{50, 50, 50}, 2, 0.03, 1);
  const Decomposition all = shah(planted.tensor.view(), of_rank(2), {});
  EXPECT_GT(evaluate(all, planted.low_rank, planted.sparse).error_low_rank, 1e-3);
  EXPECT_NE(all.outcome, Outcome::converged);
  const Decomposition one = shah(planted.tensor.view(), of_rank(2), {.slices = 1});
  EXPECT_LT(evaluate(one, planted.low_rank, planted.sparse).error_low_rank, 1e-5);
}

TEST(Shah, AMissingEntryIsACorruption) {
  PlantedOptions options;
  options.shape = Shape{40, 40, 40};
  options.rank = 2;
  options.density = 0.0005;
  options.missing = 0.0005;
  const PlantedTensor planted = generate_planted(options);
  const Decomposition result = shah(planted.tensor.view(), of_rank(2), {});
  EXPECT_LT(evaluate(result, planted.low_rank, planted.sparse).error_low_rank, 1e-6);
  EXPECT_GT(result.missing_count, 0);
}

TEST(Shah, GivesTheSameBitsForAnyNumberOfThreads) {
  const PlantedTensor planted = planted_tensor(Shape{40, 40, 40}, 2, 0.001, 3);
  test::expect_same_parts(shah(planted.tensor.view(), of_rank(2), {}),
                          shah(planted.tensor.view(), of_rank(2, 1, 2), {}));
}

TEST(Shah, EndsCleanlyOnDegenerateData) {
  const std::vector<Shape> shapes = {Shape{5, 4, 3}, Shape{1, 1, 1}, Shape{30, 1, 2}};
  test::for_constant_tensors({0, 2}, shapes, [](const DenseTensor& tensor) {
    const Decomposition result = shah(tensor.view(), of_rank(1), {});
    EXPECT_EQ(result.low_rank.shape(), tensor.shape());
    EXPECT_TRUE(result.low_rank.weights().allFinite());
  });
}

TEST(Shah, SaysWhenItDidNotFinish) {
  const PlantedTensor planted = planted_tensor(Shape{30, 30, 30}, 2, 0.001, 4);
  EXPECT_EQ(shah(planted.tensor.view(), of_rank(2), {.max_iterations = 3}).outcome,
            Outcome::iteration_limit);
  const RunOptions run = test::cancelled_at(10, of_rank(2));
  EXPECT_EQ(shah(planted.tensor.view(), run, {}).outcome, Outcome::cancelled);
}

TEST(Shah, RefusesWhatItCannotUse) {
  DenseTensor tensor(Shape{3, 3, 4});
  const auto solve = [&](int rank, ShahOptions options = {}) {
    shah(tensor.view(), of_rank(rank), options);
  };
  test::expect_refuses_ranks(solve);
  EXPECT_THROW(solve(1, {.contract_mode = 3}), OptionError);
  EXPECT_THROW(solve(1, {.slices = -1}), OptionError);
  EXPECT_THROW(solve(1, {.nu = 0}), OptionError);
  EXPECT_THROW(solve(1, {.tolerance = 0}), OptionError);
  EXPECT_THROW(solve(1, {.max_iterations = 0}), OptionError);
  EXPECT_THROW(shah(DenseTensor(Shape{4, 4}).view(), of_rank(1), {}), InputError);
  EXPECT_THROW(shah(DenseTensor(Shape{3, 3, 3, 3}).view(), of_rank(1), {}), InputError);
  test::expect_refuses_only_missing(tensor, {[&] { solve(1); }});
}

}  // namespace
}  // namespace sunder
