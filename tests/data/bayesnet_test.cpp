#include "sunder/data/bayesnet.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "refused_option.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

BayesNetDataOptions small() {
  BayesNetDataOptions options;
  options.variables = 12;
  options.hidden = 2;
  options.networks = 3;
  options.samples = 4000;
  options.density = 0.1;
  return options;
}

TEST(BayesNetData, CovariancesAreLowRankPlusNoise) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    BayesNetDataOptions options = small();
    options.seed = seed;
    options.samples = 10;
    const BayesNetData data = generate_bayesnet(options);
    EXPECT_EQ(data.noise.shape(), (Shape{12, 12, 3}));
    EXPECT_EQ(data.low_rank.factor(0), data.low_rank.factor(1));
    EXPECT_GE(data.low_rank.factor(2).minCoeff(), 0);
    std::vector<Matrix> noise(3, Matrix::Zero(12, 12));
    for (Index e = 0; e < data.noise.count(); ++e) {
      const ModeIndices at = data.noise.coordinates(e);
      noise[at[2]](at[0], at[1]) = data.noise.values()[e];
    }
    for (Index k = 0; k < 3; ++k) {
      const auto network = static_cast<std::size_t>(k);
      EXPECT_EQ(noise[network], noise[network].transpose());
      EXPECT_EQ(noise[network].llt().info(), Eigen::Success);
      for (Index i = 0; i < 12; ++i) {
        for (Index j = 0; j < 12; ++j) {
          EXPECT_NEAR(data.covariances[network](i, j),
                      data.low_rank.entry({i, j, k}) + noise[network](i, j), 1e-12);
        }
      }
    }
  }
}

TEST(BayesNetData, SamplesHaveTheCovariances) {
  const BayesNetDataOptions options = small();
  const BayesNetData data = generate_bayesnet(options);
  for (std::size_t k = 0; k < data.samples.size(); ++k) {
    const Matrix& X = data.samples[k];
    const Matrix found = X.transpose() * X / static_cast<double>(X.rows());
    const Vector s = data.covariances[k].diagonal();
    const Matrix errors =
        ((s * s.transpose() + data.covariances[k].cwiseAbs2()) / static_cast<double>(X.rows()))
            .cwiseSqrt();
    const Matrix z = (found - data.covariances[k]).cwiseQuotient(errors);
    EXPECT_LT(z.cwiseAbs().maxCoeff(), 5);
    EXPECT_GT(z.norm() / 12, 0.6);  // and not less than they should
    EXPECT_LT(z.norm() / 12, 1.4);
  }
}

TEST(BayesNetData, RefusesWhatCannotBe) {
  const auto with = [](auto change) {
    BayesNetDataOptions options = small();
    change(options);
    return options;
  };
  EXPECT_EQ(test::wrong_option(with([](auto& o) { o.hidden = 12; })), "hidden");
  EXPECT_EQ(test::wrong_option(with([](auto& o) { o.networks = 0; })), "networks");
  EXPECT_EQ(test::wrong_option(with([](auto& o) { o.samples = 1; })), "samples");
  EXPECT_EQ(test::wrong_option(with([](auto& o) { o.density = 2; })), "edge-density");
  EXPECT_EQ(test::wrong_option(with([](auto& o) { o.smallest = 0.9; })), "edge-smallest");
  EXPECT_EQ(test::wrong_option(with([](auto& o) { o.variables = 2; })), "variables");
  EXPECT_EQ(test::wrong_option(with([](auto& o) { o.largest = 1; })), "edge-largest");
  EXPECT_NO_THROW(validate(small()));
}

}  // namespace
}  // namespace sunder
