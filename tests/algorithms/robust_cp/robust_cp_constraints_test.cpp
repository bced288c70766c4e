#include <gtest/gtest.h>

#include "algorithms/cp/constrained_problem.hpp"
#include "sunder/algorithms/evaluation.hpp"
#include "sunder/algorithms/robust_cp.hpp"
#include "sunder/algorithms/rtd_als.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

using test::of_rank;

double error_of(const Decomposition& result, const CpModel& truth) {
  return result.low_rank.distance(truth) / truth.norm();
}

/// Sharing and signs hold to the bit; the core is smaller than the tensor, so that it is extended.
TEST(RobustCpConstraints, RecoversSharedAndNonnegativeFactors) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    for (const double noise : {0.0, 0.02}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", noise " + std::to_string(noise));
      const CpModel truth = test::shared_model(50, 20, 3, seed);
      const DenseTensor tensor = test::corrupted(
          truth, {.noise = noise, .symmetric = true, .without_diagonal = true}, seed);
      const Decomposition result = robust_cp(tensor.view(), of_rank(3, seed),
                                             {.core = 25, .shared = {{0, 1}}, .nonnegative = {2}});
      EXPECT_LT(error_of(result, truth), noise == 0 ? 1e-8 : 0.02);
      EXPECT_EQ(result.certificate.level == Certified::exact, noise == 0);
      EXPECT_EQ(result.low_rank.factor(0), result.low_rank.factor(1));
      EXPECT_GE(result.low_rank.factor(2).minCoeff(), 0);
      EXPECT_GE(result.low_rank.weights().minCoeff(), 0);
    }
  }
}

TEST(RobustCpConstraints, RecoversNonnegativeFactorsOfEveryMode) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    for (const double noise : {0.0, 0.05}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", noise " + std::to_string(noise));
      const CpModel truth = test::nonnegative_model(Shape{26, 28, 30}, 3, seed);
      const DenseTensor tensor = test::corrupted(truth, {.noise = noise}, seed);
      const RobustCpOptions free{.core = 20};
      RobustCpOptions constrained = free;
      constrained.nonnegative = {0, 1, 2};
      const Decomposition result = robust_cp(tensor.view(), of_rank(3, seed), constrained);
      const double error = error_of(result, truth);
      EXPECT_LT(error, noise == 0 ? 1e-8 : 0.02);
      EXPECT_EQ(result.certificate.level == Certified::exact, noise == 0);
      for (const Matrix& factor : result.low_rank.factors()) EXPECT_GE(factor.minCoeff(), 0);
      // What is known about the factors takes noise away.
      if (noise > 0) {
        const Decomposition without = robust_cp(tensor.view(), of_rank(3, seed), free);
        EXPECT_LT(error, error_of(without, truth));
      }
    }
  }
}

/// A model of the asked kind does not exist, and no other may be called exact.
TEST(RobustCpConstraints, NeverCertifiesWhatTheConstraintsExclude) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    SCOPED_TRACE(seed);
    const CpModel truth = test::random_model(Shape{20, 20, 20}, 2, seed);
    const DenseTensor tensor = test::corrupted(truth, {.density = 0.05}, seed);
    for (const RobustCpOptions& options :
         {RobustCpOptions{.nonnegative = {2}}, RobustCpOptions{.shared = {{0, 1}}},
          RobustCpOptions{.shared = {{0, 1}}, .nonnegative = {2}}}) {
      EXPECT_NE(robust_cp(tensor.view(), of_rank(2, seed), options).certificate.level,
                Certified::exact);
    }
    EXPECT_EQ(robust_cp(tensor.view(), of_rank(2, seed), {}).certificate.level, Certified::exact);
  }
}

TEST(RobustCpConstraints, RefusesModesThatCannotBe) {
  const DenseTensor tensor(Shape{6, 6, 7});
  EXPECT_THROW(robust_cp(tensor.view(), of_rank(1), {.symmetric = true}), InputError);
  EXPECT_THROW(robust_cp(tensor.view(), of_rank(1), {.shared = {{0, 2}}}), InputError);
  EXPECT_THROW(robust_cp(tensor.view(), of_rank(1), {.nonnegative = {3}}), OptionError);
}

TEST(RtdAlsConstraints, KeepsThem) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    const CpModel shared = test::shared_model(40, 25, 2, seed);
    const DenseTensor pairs = test::corrupted(shared, {.density = 0.05, .symmetric = true}, seed);
    const Decomposition one =
        rtd_als(pairs.view(), of_rank(2, seed),
                {.mu = 30, .max_iterations = 300, .shared = {{0, 1}}, .nonnegative = {2}});
    EXPECT_LT(error_of(one, shared), 1e-5);
    EXPECT_LT((one.low_rank.factor(0) - one.low_rank.factor(1)).norm(), 1e-12);
    EXPECT_GE(one.low_rank.factor(2).minCoeff(), 0);
  }
}

}  // namespace
}  // namespace sunder
