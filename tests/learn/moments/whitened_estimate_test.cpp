#include "learn/moments/whitened_estimate.hpp"

#include <gtest/gtest.h>

#include "core/dense.hpp"
#include "learn/moments/moment_cleaning.hpp"
#include "learn/moments/robust_start.hpp"
#include "sunder/learn/component_score.hpp"

namespace sunder {
namespace {

Matrix normal_matrix(Index rows, Index columns, std::uint64_t seed) {
  Rng rng(seed);
  return Matrix::NullaryExpr(rows, columns, [&] { return rng.normal(); });
}

MomentFactors planted_factors(Index variables, int rank, std::uint64_t seed) {
  const Vector cubes = normal_matrix(rank, 1, seed + 100).cwiseAbs().array() + 0.5;
  return {normal_matrix(variables, rank, seed), cubes};
}

Matrix second_of(const MomentFactors& factors) {
  return factors.directions * factors.directions.transpose();
}

double distance(const MomentFactors& found, const MomentFactors& truth) {
  return score_components(found.directions, truth.directions, ColumnDistance::euclidean).mean_error;
}

TEST(WhitenedEstimate, FindsTheFactorsOfExactMoments) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const MomentFactors truth = planted_factors(12, 4, seed);
    Rng rng(seed);
    const auto found = whitened_estimate(second_of(truth), third_of(truth), 4, rng);
    ASSERT_TRUE(found.has_value());
    EXPECT_LT(distance(*found, truth), 1e-9) << seed;
  }
}

TEST(WhitenedEstimate, HasNothingToSayOnTooFewDirections) {
  const MomentFactors truth = planted_factors(12, 2, 1);
  Rng rng(1);
  EXPECT_FALSE(whitened_estimate(second_of(truth), third_of(truth), 3, rng).has_value());
}

TEST(OrthogonalComponents, FindAnOrthonormalBasisByItsWeights) {
  const MomentFactors truth{thin_qr(normal_matrix(5, 5, 3)).basis, Vector::LinSpaced(5, 1, 3)};
  Rng rng(2);
  const OrthogonalComponents found = orthogonal_components(third_of(truth), rng);
  EXPECT_LT(distance({found.vectors, found.values}, truth), 1e-10);
  EXPECT_NEAR(found.values.sum(), truth.cubes.sum(), 1e-10);
}

TEST(Contracted, IsTheDefinition) {
  const Matrix third = normal_matrix(4, 16, 5);
  const Matrix w = normal_matrix(4, 2, 6);
  const Matrix found = contracted(third, w);
  for (Index a = 0; a < 2; ++a) {
    for (Index b = 0; b < 2; ++b) {
      for (Index c = 0; c < 2; ++c) {
        double sum = 0;
        for (Index i = 0; i < 4; ++i) {
          for (Index j = 0; j < 4; ++j) {
            for (Index k = 0; k < 4; ++k) sum += third(i, j + 4 * k) * w(i, a) * w(j, b) * w(k, c);
          }
        }
        EXPECT_NEAR(found(a, b + 2 * c), sum, 1e-12);
      }
    }
  }
}

/// Moments of which a block of variables is grossly wrong.
struct Corrupted {
  MomentFactors truth;
  SymmetricMoments moments;

  explicit Corrupted(std::uint64_t seed) : truth(planted_factors(40, 3, seed)) {
    moments.first = Vector::Ones(40);
    moments.second = second_of(truth);
    moments.third = third_of(truth);
    corrupt(moments, {.share = 0.1, .magnitude = 10, .blocks = 1, .seed = seed});
  }
  ScaledMoments scaled() const { return {moments.second, moments.third}; }
};

TEST(RobustStart, IsExactFromEitherMomentWhereTheRestIs) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Corrupted problem(seed);
    for (const auto start : {start_from_third, start_from_second}) {
      const RobustStart found = start(problem.scaled(), {.rank = 3});
      ASSERT_TRUE(found.factors.has_value());
      EXPECT_LT(distance(*found.factors, problem.truth), 1e-6) << seed;
    }
  }
}

TEST(MomentCleaning, LeavesOutWhatDoesNotFitAndSettles) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Corrupted problem(seed);
    MomentFactors start = problem.truth;
    start.directions += 1e-3 * normal_matrix(40, 3, seed + 50);
    const CleanedFit fit = clean_moments(problem.scaled(), start, {.rank = 3, .max_rounds = 60});
    EXPECT_TRUE(fit.settled);
    EXPECT_LT(distance(fit.factors, problem.truth), 1e-8) << seed;
  }
}

TEST(EntrySpread, GrowsWithCountsOnly) {
  const Matrix model = Matrix::Constant(2, 2, 4.0);
  EXPECT_EQ(EntrySpread(MomentNoise::even, model)(9.0), 1.0);
  EXPECT_EQ(EntrySpread(MomentNoise::counts, model)(9.0), 3.0);
  EXPECT_GT(EntrySpread(MomentNoise::counts, model)(-1.0), 0.0);
}

}  // namespace
}  // namespace sunder
