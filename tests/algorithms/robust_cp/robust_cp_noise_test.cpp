// What a result says about the noise and about bad samples.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "sunder/algorithms/robust_cp.hpp"
#include "sunder/data/planted.hpp"

namespace sunder {
namespace {

PlantedOptions planted(std::uint64_t seed) {
  PlantedOptions options;
  options.shape = Shape{30, 30, 30};
  options.rank = 3;
  options.density = 0.1;
  options.noise = 0.05;
  options.seed = seed;
  return options;
}

Decomposition solve(const PlantedTensor& problem, const RobustCpOptions& options = {}) {
  RunOptions run;
  run.rank = 3;
  return robust_cp(problem.tensor.view(), run, options);
}

double rms(const CpModel& model) {
  return model.norm() / std::sqrt(static_cast<double>(model.shape().entries()));
}

TEST(RobustCpNoise, TheNoiseIsPartOfTheResultInTheUnitOfTheData) {
  const PlantedTensor problem = generate_planted(planted(1));
  const Decomposition result = solve(problem);
  ASSERT_TRUE(result.noise.known);
  EXPECT_NEAR(result.noise.sigma, 0.05 * rms(problem.low_rank), 0.003 * rms(problem.low_rank));
  EXPECT_NEAR(result.noise.outlier_share, 0.1, 0.01);
  EXPECT_NEAR(result.noise.signal_size, rms(problem.low_rank), 0.05 * rms(problem.low_rank));
  ASSERT_EQ(result.noise.slice_deviations.size(), 3u);
  for (const auto& mode : result.noise.slice_deviations) {
    for (const double deviation : mode) EXPECT_NEAR(deviation, 1, 0.2);
  }
  ASSERT_EQ(result.noise.edges.size(), result.noise.outlier_density.size() + 1);
  double mass = 0;
  for (std::size_t b = 0; b < result.noise.outlier_density.size(); ++b) {
    mass += result.noise.outlier_density[b] * (result.noise.edges[b + 1] - result.noise.edges[b]);
  }
  EXPECT_NEAR(mass, 1, 0.1);
  EXPECT_TRUE(result.flagged_slices.empty());
}

TEST(RobustCpNoise, NothingIsSaidOfNoiseWhereThereIsNone) {
  PlantedOptions options = planted(2);
  options.noise = 0;
  const Decomposition result = solve(generate_planted(options));
  EXPECT_FALSE(result.noise.known);
  EXPECT_TRUE(result.slice_quality.empty());
}

TEST(RobustCpNoise, BadSamplesAreFlaggedAndGoodOnesAreNot) {
  for (const BadSampleKind kind : {BadSampleKind::garbage, BadSampleKind::model}) {
    PlantedOptions options = planted(3);
    options.bad_samples = 0.2;
    options.bad_kind = kind;
    const PlantedTensor problem = generate_planted(options);
    std::vector<Index> changed(30);
    for (const Index position : problem.sparse.positions()) ++changed[position / 900];
    std::set<Index> bad;
    for (Index i = 0; i < 30; ++i) {
      if (changed[i] > 450) bad.insert(i);
    }
    ASSERT_EQ(bad.size(), 6u);
    const Decomposition result = solve(problem);
    std::set<Index> flagged;
    for (const FlaggedSlice& slice : result.flagged_slices) {
      EXPECT_EQ(slice.mode, 0);
      flagged.insert(slice.index);
      EXPECT_EQ(slice.reason == "another model", kind == BadSampleKind::model) << slice.reason;
    }
    EXPECT_EQ(flagged, bad);
    ASSERT_EQ(result.slice_quality.size(), 3u);
    EXPECT_EQ(result.slice_quality[0].excess.size(), 30u);
    EXPECT_TRUE(solve(problem, {.casewise = Casewise::off}).flagged_slices.empty());
  }
}

TEST(RobustCpNoise, AFamilyThatWasAskedForIsTaken) {
  PlantedOptions options = planted(4);
  options.noise = 0.1;
  options.noise_model = NoiseKind::proportional;
  const PlantedTensor problem = generate_planted(options);
  const Decomposition proportional = solve(problem, {.noise = NoiseFamily::proportional});
  EXPECT_GT(proportional.noise.square_growth, 1);
  EXPECT_EQ(proportional.noise.linear_growth, 0);
  const Decomposition linear = solve(problem, {.noise = NoiseFamily::poisson});
  EXPECT_GT(linear.noise.linear_growth, 0);
  EXPECT_EQ(linear.noise.square_growth, 0);
  const Decomposition plain = solve(problem, {.noise = NoiseFamily::gaussian});
  EXPECT_EQ(plain.noise.family, "gaussian");
  // The right family explains the data best.
  EXPECT_LT(proportional.noise.nats, linear.noise.nats);
  EXPECT_LT(proportional.noise.nats, plain.noise.nats);
  EXPECT_GT(solve(problem, {.noise = NoiseFamily::t}).noise.wide_share, 0);
}

}  // namespace
}  // namespace sunder
