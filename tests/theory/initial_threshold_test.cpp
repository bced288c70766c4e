#include "sunder/theory/initial_threshold.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "planted_problem.hpp"
#include "sunder/theory/conditions.hpp"

namespace sunder {
namespace {

/// One spike that is far above everything else: it is removed, and what stays is L without one
/// entry.
TEST(InitialThreshold, RemovesWhatIsLarge) {
  const Shape shape{30, 25, 20};
  const CpModel low_rank = generate_planted(test::small_problem(2)).low_rank;
  const SparseTensor sparse(shape, {7, 1234}, {1000, 1e-6});
  const InitialThreshold sharp = initial_threshold(low_rank, sparse, 0.9);
  EXPECT_NEAR(sharp.tensor_norm, 1000, 1);
  EXPECT_DOUBLE_EQ(sharp.threshold, 0.9 * sharp.tensor_norm);
  EXPECT_EQ(sharp.removed, 1);
  EXPECT_NEAR(sharp.cleaned_norm, 1, 0.05);
  EXPECT_EQ(initial_threshold(low_rank, sparse, 1.1).removed, 0);
  EXPECT_NEAR(initial_threshold(low_rank, sparse, 1.1).cleaned_norm, 1000, 1);
}

/// The claim that lets it look at the support alone: L has no entry above zeta_0.
TEST(InitialThreshold, TheLowRankPartStaysBelow) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const PlantedTensor planted = generate_planted(test::small_problem(seed));
    const Shape shape = planted.low_rank.shape();
    const double mu = measure_incoherence(planted.low_rank).mu;
    const InitialThreshold start =
        initial_threshold(planted.low_rank, planted.sparse,
                          threshold_scale(problem_size(shape, planted.low_rank.rank(), mu)));
    std::vector<double> entries(shape.entries());
    planted.low_rank.evaluate(std::vector<Index>{0, 0, 0}, shape, entries);
    for (const double x : entries) ASSERT_LT(std::abs(x), start.threshold);
    EXPECT_GE(start.cleaned_norm, 0.75) << "the paper: at least 3/4 sigma_1";
  }
}

}  // namespace
}  // namespace sunder
