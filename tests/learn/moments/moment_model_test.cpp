#include "sunder/learn/moment_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "refused_option.hpp"
#include "sunder/core/error.hpp"
#include "sunder/core/rng.hpp"
#include "sunder/learn/component_score.hpp"

namespace sunder {
namespace {

/// Components of any sign, with weights away from zero.
struct Planted {
  Matrix components;
  Vector weights;
  SymmetricMoments moments;

  Planted(Index variables, int rank, std::uint64_t seed) {
    Rng rng(seed);
    components = Matrix::NullaryExpr(variables, rank, [&] { return rng.normal(); });
    weights = Vector::NullaryExpr(rank, [&] { return rng.uniform(0.5, 1.5); });
    weights /= weights.sum();
    moments = exact_moments(components, weights, weights);
  }
};

MomentModel fit(const SymmetricMoments& moments, int rank, bool robust = true) {
  MomentOptions options;
  options.rank = rank;
  options.robust = robust;
  return fit_moments(moments, Vector::Ones(moments.variables()), options);
}

/// w = lambda^-2 and mu = lambda u where both moments have the same weights.
double error_of(const MomentModel& model, const Planted& planted) {
  const Matrix found = model.directions * model.cubes.asDiagonal();
  return score_components(found, planted.components, ColumnDistance::euclidean).mean_error;
}

TEST(MomentModel, PlainEstimatorIsExactOnExactMoments) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Planted planted(30, 4, seed);
    const MomentModel model = fit(planted.moments, 4, false);
    EXPECT_LT(error_of(model, planted), 1e-10);
    EXPECT_TRUE(model.corrupted.empty());
  }
}

TEST(MomentModel, BlocksOfCorruptedVariablesAreFoundAndLeftOut) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Planted planted(60, 4, seed);
    const std::vector<Index> corrupted =
        corrupt(planted.moments, {.share = 0.1, .magnitude = 10, .blocks = 2, .seed = seed});
    ASSERT_EQ(corrupted.size(), 6U);
    const MomentModel model = fit(planted.moments, 4);
    EXPECT_LT(error_of(model, planted), 1e-8) << seed;
    EXPECT_EQ(model.outcome, Outcome::converged);
    EXPECT_EQ(model.certificate.level, Certified::exact);
    EXPECT_THAT(model.corrupted, ::testing::UnorderedElementsAreArray(corrupted));
    EXPECT_EQ(model.corrupted_second, 2 * 9);
    EXPECT_EQ(model.corrupted_third, 2 * 27);
    EXPECT_GT(error_of(fit(planted.moments, 4, false), planted), 0.1);
  }
}

TEST(MomentModel, ScaleDoesNotChangeWhatExactMomentsGive) {
  Planted planted(40, 3, 5);
  corrupt(planted.moments, {.share = 0.1, .seed = 2});
  MomentOptions options;
  options.rank = 3;
  Rng rng(9);
  const Vector scale = Vector::NullaryExpr(40, [&] { return rng.uniform(0.3, 3); });
  EXPECT_LT(error_of(fit_moments(planted.moments, scale, options), planted), 1e-8);
}

TEST(MomentModel, NoiseCostsNoMoreThanThePlainEstimatorOnCleanMoments) {
  constexpr Index n = 40;
  double robust = 0;
  double clean = 0;
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    Planted planted(n, 3, seed);
    Rng rng(seed, 7);
    const double noise = 0.02 * planted.moments.third.norm() / std::pow(n, 1.5);
    for (Index i = 0; i < n; ++i) {
      for (Index j = i; j < n; ++j) {
        const double second = noise * rng.normal();
        planted.moments.second(i, j) += second;
        if (i != j) planted.moments.second(j, i) += second;
        for (Index k = j; k < n; ++k) {
          const double third = noise * rng.normal();
          Index index[] = {i, j, k};
          do {
            planted.moments.third(index[0], index[1] + n * index[2]) += third;
          } while (std::next_permutation(index, index + 3));
        }
      }
    }
    clean += error_of(fit(planted.moments, 3, false), planted);
    corrupt(planted.moments, {.share = 0.1, .seed = seed});
    robust += error_of(fit(planted.moments, 3), planted);
  }
  EXPECT_LT(robust, 1.3 * clean);
  EXPECT_GT(clean, 0);
}

TEST(MomentModel, MistakesAreNamed) {
  const Planted planted(10, 2, 1);
  EXPECT_THROW(fit(planted.moments, 0), OptionError);
  EXPECT_THROW(fit(planted.moments, 11), OptionError);
  EXPECT_THROW(fit(planted.moments, 5, false), InputError);  // only two components are there
  SymmetricMoments crooked = planted.moments;
  crooked.third(0, 1) += 1;
  EXPECT_THROW(fit(crooked, 2), InputError);
  SymmetricMoments missing = planted.moments;
  missing.second(2, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(fit(missing, 2), InputError);
  SymmetricMoments ragged = planted.moments;
  ragged.first = Vector::Ones(9);
  EXPECT_THROW(fit(ragged, 2), InputError);
  SymmetricMoments moments = planted.moments;
  EXPECT_EQ(test::refused_option([&] { corrupt(moments, {.share = 2}); }), "share");
  EXPECT_EQ(test::refused_option([&] { corrupt(moments, {.blocks = 0}); }), "blocks");
}

}  // namespace
}  // namespace sunder
