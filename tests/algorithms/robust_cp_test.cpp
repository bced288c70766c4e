#include "sunder/algorithms/robust_cp.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "planted_problem.hpp"
#include "sunder/algorithms/evaluation.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

using test::of_rank;

/// A core smaller than the default, so that sampling and extension are at work on small tensors.
RobustCpOptions small_core() {
  RobustCpOptions options;
  options.core = 30;
  return options;
}

struct NamedProblem {
  std::string name;
  PlantedOptions planted;
};

std::vector<NamedProblem> named_problems() {
  std::vector<NamedProblem> list;
  const auto add = [&](const std::string& name, Shape shape, int rank,
                       double density) -> PlantedOptions& {
    PlantedOptions options;
    options.shape = shape;
    options.rank = rank;
    options.density = density;
    list.push_back({name, options});
    return list.back().planted;
  };
  add("uniform", {50, 50, 50}, 3, 0.2);
  add("half corrupted", {50, 50, 50}, 3, 0.5);
  add("blocks", {50, 50, 50}, 3, 0.25).support = Support::block;
  add("random signs", {50, 50, 50}, 3, 0.4).signs = Signs::random;
  add("a hundred times larger", {50, 50, 50}, 3, 0.4).magnitude = 100;
  add("nothing corrupted", {50, 50, 50}, 3, 0).support = Support::none;
  add("missing", {50, 50, 50}, 3, 0.2).missing = 0.4;
  add("short mode", {3, 80, 80}, 2, 0.2);
  add("matrix", {120, 150}, 3, 0.2);
  add("order four", {20, 20, 20, 20}, 3, 0.2);
  add("single precision", {50, 50, 50}, 3, 0.2).type = ScalarType::f32;
  return list;
}

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

/// A surplus component can sit on a few outliers of the core and be wrong on a corner of the
/// tensor that spoils no slice.
TEST(RobustCp, ARankAboveTheTrueOneIsNeverCertifiedFalsely) {
  int certified = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    for (const int surplus : {1, 2, 4}) {
      PlantedOptions options = named_problems().front().planted;
      options.shape = Shape{40, 40, 40};
      options.rank = 2;
      options.seed = seed;
      const PlantedTensor planted = generate_planted(options);
      const Decomposition result =
          robust_cp(planted.tensor.view(), of_rank(2 + surplus), small_core());
      if (result.certificate.level != Certified::exact) continue;
      ++certified;
      EXPECT_LT(evaluate(result, planted.low_rank, planted.sparse).error_low_rank, 1e-8)
          << "seed " << seed << ", surplus " << surplus;
    }
  }
  EXPECT_GT(certified, 6);
}

/// A component at work on thirty entries, of which a core has a few or none.
DenseTensor with_small_component(std::uint64_t seed) {
  Rng rng(seed, 3);
  const Shape shape{25, 25, 25};
  std::vector<Matrix> factors;
  const Index rows[3][2] = {{9, 2}, {5, 5}, {6, 3}};
  for (const auto& alive : rows) {
    Matrix factor = Matrix::Zero(25, 2);
    for (Index k = 0; k < 2; ++k) {
      for (Index i = 0; i < alive[k]; ++i) {
        factor(static_cast<Index>(rng.below(25)), k) = rng.normal();
      }
    }
    factors.push_back(std::move(factor));
  }
  DenseTensor tensor = test::dense(test::model_of(factors));
  for (double& x : tensor.typed<double>()) {
    if (rng.bernoulli(0.015)) x += rng.normal();
  }
  return tensor;
}

TEST(RobustCp, AComponentOnFewEntriesIsNotTakenForErrors) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const DenseTensor tensor = with_small_component(seed);
    const Decomposition result = robust_cp(tensor.view(), of_rank(2), {.core = 10});
    EXPECT_TRUE(result.certificate.level == Certified::none ||
                result.low_rank.weights().cwiseAbs().minCoeff() > 0)
        << "seed " << seed;
  }
}

/// Six entries, that is, and no error anywhere.
TEST(RobustCp, AComponentOnAFewEntriesLeavesNoCertificateToTheRest) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Rng rng(seed, 4);
    std::vector<Matrix> factors;
    const Index rows[4][2] = {{3, 1}, {4, 2}, {3, 3}, {3, 1}};
    for (const auto& alive : rows) {
      factors.emplace_back(Matrix::Zero(8, 2));
      for (Index k = 0; k < 2; ++k) {
        for (Index i = 0; i < alive[k]; ++i) factors.back()(2 * k + i, k) = rng.normal();
      }
    }
    const DenseTensor tensor = test::dense(test::model_of(factors));
    const Decomposition result = robust_cp(tensor.view(), of_rank(2), {});
    EXPECT_TRUE(result.certificate.level == Certified::none ||
                result.low_rank.weights().cwiseAbs().minCoeff() > 0)
        << "seed " << seed;
  }
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
      EXPECT_EQ(result.certificate.level, Certified::exact) << seed << ", core " << core;
      // Some of these errors are too small to be told from rounding.
      EXPECT_LT(result.low_rank.distance(planted.low_rank), 1e-7 * planted.low_rank.norm());
    }
  }
}

/// In the first of them the rows that a core was extended to had the wrong signs in two modes, so
/// that no slice of T was fitted by less than a fifth.
TEST(RobustCp, RowsOfReversedSignsAreNotCertified) {
  for (const std::uint64_t seed : {396938891U, 1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 10U}) {
    PlantedOptions options;
    options.shape = Shape{16, 16, 16};
    options.rank = 1;
    options.support = Support::block;
    options.blocks = 3;
    options.density = 0.4;
    options.signs = Signs::random;
    options.magnitude = 10;
    options.missing = 0.5;
    options.seed = seed;
    const PlantedTensor planted = generate_planted(options);
    const Decomposition result = robust_cp(planted.tensor.view(), of_rank(1), {.core = 10});
    EXPECT_TRUE(result.certificate.level == Certified::none ||
                evaluate(result, planted.low_rank, planted.sparse).error_low_rank < 1e-8)
        << "seed " << seed;
  }
}

/// In units of data whose errors are a hundred times larger than L, such noise is rounding. One fit
/// in four is led astray by such errors; of those that disagree the better is kept.
TEST(RobustCp, NoiseBesideLargeErrorsIsNotTakenForRounding) {
  int recovered = 0;
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U}) {
    PlantedOptions options;
    options.shape = Shape{30, 30, 30};
    options.rank = 2;
    options.density = 0.5;
    options.magnitude = 100;
    options.signs = Signs::random;
    options.noise = 1e-5;
    options.seed = seed;
    const PlantedTensor planted = generate_planted(options);
    const Decomposition result = robust_cp(planted.tensor.view(), of_rank(2), {});
    EXPECT_EQ(result.certificate.level, Certified::none) << "seed " << seed;
    const double error = evaluate(result, planted.low_rank, planted.sparse).error_low_rank;
    recovered += error < options.noise ? 1 : 0;
  }
  EXPECT_GE(recovered, 3);
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
  EXPECT_EQ(result.certificate.level, Certified::none);
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

TEST(RobustCp, DoesNotCertifyWhatItCannotKnow) {
  // One slice is noise throughout: no model explains it, and the result must not claim otherwise.
  PlantedOptions options = named_problems().front().planted;
  PlantedTensor planted = generate_planted(options);
  Rng rng(1);
  for (double& x : planted.tensor.typed<double>().subspan(7 * 2500, 2500)) x = rng.normal();
  EXPECT_NE(robust_cp(planted.tensor.view(), of_rank(3), small_core()).certificate.level,
            Certified::exact);
  // Nearly everything is corrupted.
  options.density = 0.99;
  planted = generate_planted(options);
  const Decomposition hopeless = robust_cp(planted.tensor.view(), of_rank(3), small_core());
  EXPECT_NE(hopeless.certificate.level, Certified::exact);
  for (const Matrix& factor : hopeless.low_rank.factors()) EXPECT_TRUE(factor.allFinite());
}

TEST(RobustCp, SignsReversedInSomeRowsAreNotCertified) {
  PlantedOptions options;
  options.shape = Shape{3, 20, 30};
  options.rank = 1;
  options.density = 0.4;
  options.factors = FactorKind::orthonormal;
  options.weights = WeightKind::uniform;
  options.signs = Signs::random;
  options.magnitude = 100;
  options.seed = 166507329;  // where the solver ends with some signs wrong
  const PlantedTensor planted = generate_planted(options);
  const Decomposition result = robust_cp(planted.tensor.view(), of_rank(1), {});
  const Evaluation evaluation = evaluate(result, planted.low_rank, planted.sparse);
  EXPECT_TRUE(evaluation.error_low_rank < 1e-8 || result.certificate.level == Certified::none);
}

TEST(RobustCp, AWeakComponentAloneIsNotCertifiedForTwo) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    CpModel truth = test::random_model(Shape{20, 20, 20}, 2, seed);
    std::vector<Matrix> factors = truth.factors();
    Rng rng(seed, 5);
    for (Matrix& factor : factors) {
      for (double& x : factor.reshaped()) x = rng.bernoulli(0.4) ? 0 : x;
    }
    truth = CpModel(Vector{{1.0, 0.2}}, factors);
    DenseTensor tensor = test::dense(truth);
    for (double& x : tensor.typed<double>()) x += rng.bernoulli(0.02) ? 50 * rng.normal() : 0;
    const Decomposition result = robust_cp(tensor.view(), of_rank(2), {});
    EXPECT_TRUE(result.low_rank.distance(truth) < 1e-8 * truth.norm() ||
                result.certificate.level == Certified::none);
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

/// L lives on so few entries that no component can be told from chance: zero is no finding.
TEST(RobustCp, AnEmptyModelIsNotCertified) {
  for (std::uint64_t seed = 180; seed < 200; ++seed) {
    PlantedOptions options;
    options.shape = Shape{12, 12, 12};
    options.rank = 2;
    options.density = 0.05;
    options.weights = WeightKind::uniform;
    options.zero_rows = 0.7;
    options.seed = seed;
    const PlantedTensor planted = generate_planted(options);
    const Decomposition result = robust_cp(planted.tensor.view(), of_rank(2), {});
    if (result.certificate.level != Certified::exact) continue;
    EXPECT_LT(evaluate(result, planted.low_rank, planted.sparse).error_low_rank, 1e-6) << seed;
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
      EXPECT_EQ(result.certificate.level, noise == 0 ? Certified::exact : Certified::none);
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

}  // namespace
}  // namespace sunder
