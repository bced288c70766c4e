#include "sunder/algorithms/robust_cp.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

#include "algorithms/named_problems.hpp"
#include "planted_problem.hpp"
#include "sunder/algorithms/evaluation.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

using test::named_problems;
using test::NamedProblem;
using test::of_rank;
using test::small_core;

TEST(RobustCp, RecoversAndCertifiesPlantedProblems) {
  for (const NamedProblem& problem : named_problems()) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      SCOPED_TRACE(problem.name + ", seed " + std::to_string(seed));
      PlantedOptions options = problem.planted;
      options.seed = seed;
      const PlantedTensor planted = generate_planted(options);
      const Decomposition result =
          robust_cp(planted.tensor.view(), of_rank(options.rank), small_core());
      const Evaluation evaluation = evaluate(result, planted.low_rank, planted.sparse);
      EXPECT_LT(evaluation.error_low_rank, options.type == ScalarType::f32 ? 1e-6 : 1e-8);
      EXPECT_EQ(evaluation.support.recall, 1);
      EXPECT_EQ(evaluation.support.precision, 1);
      EXPECT_EQ(result.certificate.level, Certified::exact);
      EXPECT_EQ(result.outcome, Outcome::converged);
    }
  }
}

TEST(RobustCp, FindsTheRank) {
  for (const double noise : {0.0, 0.05}) {
    for (const int rank : {1, 3, 5}) {
      PlantedOptions options = named_problems().front().planted;
      options.rank = rank;
      options.noise = noise;
      options.seed = 3;
      const PlantedTensor planted = generate_planted(options);
      RobustCpOptions core;
      core.core = 40;
      EXPECT_EQ(robust_cp(planted.tensor.view(), of_rank(0), core).low_rank.rank(), rank)
          << "noise " << noise;
    }
  }
}

TEST(RobustCp, ReadsTheWholeTensorOnceWhenTheFirstCoreSuffices) {
  PlantedOptions options = named_problems().front().planted;
  const PlantedTensor planted = generate_planted(options);
  const Decomposition result = robust_cp(planted.tensor.view(), of_rank(3), small_core());
  EXPECT_EQ(result.passes, 1);
  EXPECT_GT(result.entries_sampled, 0);
  EXPECT_GT(result.flops, 0);
}

/// Doubles of random bits, from 1e-308 to 1e308, in place of a fifth of the entries.
void lead_bits_astray(DenseTensor& tensor, std::uint64_t seed) {
  Rng rng(seed, 5);
  for (double& x : tensor.typed<double>()) {
    if (!rng.bernoulli(0.2)) continue;
    x = std::bit_cast<double>(rng.below(std::uint64_t{0x7ff0} << 48));
    if (rng.bernoulli(0.5)) x = -x;
  }
}

TEST(RobustCp, BitsThatWentAstrayAreErrorsLikeOthers) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    PlantedOptions options;
    options.shape = Shape{40, 30, 35};
    options.rank = 3;
    options.density = 0.05;
    options.seed = seed;
    PlantedTensor planted = generate_planted(options);
    lead_bits_astray(planted.tensor, seed);
    for (const int core : {60, 20}) {
      const Decomposition result = robust_cp(planted.tensor.view(), of_rank(3), {.core = core});
      EXPECT_EQ(result.certificate.level, Certified::exact)
          << seed << ", core " << core << ": " << result.certificate.explanation;
      // Some of these errors are too small to be told from rounding.
      EXPECT_LT(result.low_rank.distance(planted.low_rank), 1e-7 * planted.low_rank.norm());
    }
  }
}

TEST(RobustCp, CountsSWithoutListingIt) {
  const PlantedTensor planted = generate_planted(named_problems().front().planted);
  RunOptions run = of_rank(3);
  const Decomposition listed = robust_cp(planted.tensor.view(), run, small_core());
  run.collect_sparse = false;
  const Decomposition counted = robust_cp(planted.tensor.view(), run, small_core());
  EXPECT_EQ(counted.sparse.count(), 0);
  EXPECT_EQ(counted.sparse_count, listed.sparse.count());
  EXPECT_EQ(listed.sparse_count, listed.sparse.count());
  EXPECT_NEAR(counted.sparse_norm, listed.sparse.norm(), 1e-12 * listed.sparse_norm);
}

TEST(RobustCp, UnderNoiseComesCloseToLeastSquaresAndClaimsNothing) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    PlantedOptions options = named_problems().front().planted;
    options.noise = 0.05;
    options.seed = seed;
    const PlantedTensor planted = generate_planted(options);
    const Decomposition result = robust_cp(planted.tensor.view(), of_rank(3), small_core());
    const Evaluation evaluation = evaluate(result, planted.low_rank, planted.sparse);
    // Least squares on the true inliers: noise x sqrt(unknowns / inliers).
    const double oracle = 0.05 * std::sqrt(3.0 * (150 - 2) / (0.8 * 125000));
    EXPECT_LT(evaluation.error_low_rank, 1.2 * oracle) << "seed " << seed;
    EXPECT_NE(result.certificate.level, Certified::exact);
  }
}

TEST(RobustCp, UnderNoiseConvergesWhenTheCoreIsTheWholeTensorToo) {
  PlantedOptions options = named_problems().front().planted;
  options.shape = Shape{30, 30, 30};
  options.noise = 0.05;
  const PlantedTensor planted = generate_planted(options);
  const Decomposition result = robust_cp(planted.tensor.view(), of_rank(3), {});
  EXPECT_EQ(result.outcome, Outcome::converged);
  EXPECT_EQ(result.certificate.level, Certified::consistent);
  const double oracle = 0.05 * std::sqrt(3.0 * (90 - 2) / (0.8 * 27000));
  EXPECT_LT(evaluate(result, planted.low_rank, planted.sparse).error_low_rank, 1.3 * oracle);
}

TEST(RobustCp, GivesTheSameBitsForAnyNumberOfThreads) {
  PlantedOptions options = named_problems().front().planted;
  options.noise = 0.05;
  const PlantedTensor planted = generate_planted(options);
  RunOptions run = of_rank(3);
  const Decomposition one = robust_cp(planted.tensor.view(), run, small_core());
  for (const int threads : {2, 3}) {
    run.threads = threads;
    const Decomposition many = robust_cp(planted.tensor.view(), run, small_core());
    for (int mode = 0; mode < 3; ++mode) {
      EXPECT_TRUE((one.low_rank.factor(mode).array() == many.low_rank.factor(mode).array()).all());
    }
    EXPECT_TRUE(std::equal(one.sparse.values().begin(), one.sparse.values().end(),
                           many.sparse.values().begin(), many.sparse.values().end()));
  }
}

TEST(RobustCp, ConstantAndZeroTensorsAreTheirOwnModel) {
  for (const double value : {0.0, 3.0, -2e-30}) {
    for (const int rank : {1, 3}) {
      DenseTensor tensor(Shape{20, 20, 20});
      for (double& x : tensor.typed<double>()) x = value;
      const Decomposition result = robust_cp(tensor.view(), of_rank(rank), {});
      EXPECT_EQ(result.certificate.level, Certified::exact) << value << ", rank " << rank;
      EXPECT_EQ(result.sparse_count, 0);
      EXPECT_NEAR(result.low_rank.norm(), std::abs(value) * std::sqrt(8000.0),
                  1e-10 * std::abs(value));
    }
  }
}

TEST(RobustCp, OneHugeEntryOfSinglePrecisionSpoilsNothing) {
  PlantedOptions options = named_problems().front().planted;
  options.type = ScalarType::f32;
  PlantedTensor planted = generate_planted(options);
  planted.tensor.typed<float>()[17] = 3e38F;
  const Decomposition result = robust_cp(planted.tensor.view(), of_rank(3), small_core());
  EXPECT_EQ(result.certificate.level, Certified::exact);
  EXPECT_NEAR(result.sparse_norm, 3e38, 1e33);
}

TEST(RobustCp, EndsCleanlyOnDegenerateData) {
  for (const double value : {0.0, 1.0, 1e-130, 1e38, 1e130}) {
    for (const Shape& shape : {Shape{2, 2}, Shape{12, 11, 10}}) {
      for (const bool single : {false, true}) {
        SCOPED_TRACE(to_string(shape) + " of " + std::to_string(value) +
                     (single ? ", one entry" : ""));
        DenseTensor tensor(shape);
        for (double& x : tensor.typed<double>()) x = single ? 0 : value;
        tensor.typed<double>()[1] = value;
        const Decomposition result = robust_cp(tensor.view(), of_rank(2), small_core());
        EXPECT_TRUE(result.low_rank.weights().allFinite());
        for (const Matrix& factor : result.low_rank.factors()) EXPECT_TRUE(factor.allFinite());
        for (const double s : result.sparse.values()) EXPECT_TRUE(std::isfinite(s));
      }
    }
  }
}

TEST(RobustCp, RefusesWhatItCannotUse) {
  DenseTensor tensor(Shape{6, 6, 6});
  EXPECT_THROW(robust_cp(tensor.view(), of_rank(-1), {}), OptionError);
  EXPECT_THROW(robust_cp(tensor.view(), of_rank(37), {}), InputError);
  EXPECT_THROW(robust_cp(tensor.view(), of_rank(1), {.core = 2}), OptionError);
  tensor.typed<double>()[3] = std::numeric_limits<double>::infinity();
  EXPECT_THROW(robust_cp(tensor.view(), of_rank(1), {}), InputError);
  for (const double value : {std::numeric_limits<double>::quiet_NaN(), 1e-310, 1e300}) {
    for (double& x : tensor.typed<double>()) x = value;
    EXPECT_THROW(robust_cp(tensor.view(), of_rank(1), {}), InputError) << value;
  }
}

TEST(RobustCp, SymmetricTensorsGiveOneFactorForAllModes) {
  for (const Shape& shape : {Shape{60, 60, 60}, Shape{24, 24, 24, 24}, Shape{100, 100}}) {
    for (const double noise : {0.0, 0.02}) {
      SCOPED_TRACE(to_string(shape) + ", noise " + std::to_string(noise));
      PlantedOptions options;
      options.shape = shape;
      options.rank = 3;
      options.density = 0.2;
      options.symmetric = true;
      options.noise = noise;
      const PlantedTensor planted = generate_planted(options);
      RobustCpOptions symmetric = small_core();
      symmetric.symmetric = true;
      const Decomposition result = robust_cp(planted.tensor.view(), of_rank(3), symmetric);
      const double error = evaluate(result, planted.low_rank, planted.sparse).error_low_rank;
      EXPECT_LT(error, noise == 0 ? 1e-8 : 0.02);
      EXPECT_EQ(result.certificate.level == Certified::exact, noise == 0);
      const std::vector<Matrix>& factors = result.low_rank.factors();
      for (std::size_t m = 1; m < factors.size(); ++m) {
        EXPECT_LT((factors[m].cwiseAbs() - factors[0].cwiseAbs()).norm(), 1e-12);
      }
    }
  }
  const DenseTensor uneven(Shape{6, 6, 7});
  EXPECT_THROW(robust_cp(uneven.view(), of_rank(1), {.symmetric = true}), InputError);
}

TEST(RobustCp, CanBeCancelled) {
  const PlantedTensor planted = generate_planted(named_problems().front().planted);
  RunOptions run = of_rank(3);
  run.progress = [](const Progress&) { return Continue::cancel; };
  EXPECT_EQ(robust_cp(planted.tensor.view(), run, small_core()).outcome, Outcome::cancelled);
}

/// The callback lets the time pass while the first candidate is judged.
TEST(RobustCp, GivesTheBestCandidateAtTheTimeLimit) {
  const PlantedTensor planted = generate_planted(test::small_problem(3));
  RunOptions run = of_rank(3);
  run.max_seconds = 1;
  run.progress = [](const Progress& progress) {
    if (progress.stage == "finding S") std::this_thread::sleep_for(std::chrono::seconds(1));
    return Continue::yes;
  };
  const Decomposition result = robust_cp(planted.tensor.view(), run, {});
  EXPECT_EQ(result.outcome, Outcome::time_limit);
  EXPECT_EQ(result.certificate.level, Certified::none);
  EXPECT_LT(evaluate(result, planted.low_rank, planted.sparse).error_low_rank, 1e-8);
  EXPECT_GT(result.sparse_count, 0);
}

}  // namespace
}  // namespace sunder
