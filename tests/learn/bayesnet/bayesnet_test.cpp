#include "sunder/learn/bayesnet.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "refused_option.hpp"
#include "sunder/core/error.hpp"
#include "sunder/core/rng.hpp"
#include "sunder/data/bayesnet.hpp"

namespace sunder {
namespace {

BayesNetOptions with_hidden(int hidden) {
  BayesNetOptions options;
  options.hidden = hidden;
  options.threads = 1;  // the tests run side by side
  return options;
}

NetworkCovariances of_samples(const BayesNetData& data) {
  NetworkCovariances networks;
  for (const Matrix& X : data.samples) {
    networks.covariances.push_back(sample_covariance(
        TensorView::of(X.data(), Shape{X.rows(), X.cols()}, StorageOrder::fortran)));
    networks.samples.push_back(static_cast<double>(X.rows()));
  }
  return networks;
}

BayesNetScore score_of(const BayesNet& net, const BayesNetData& data) {
  return score_bayesnet(net.parts.low_rank, net.parts.sparse, data.low_rank, data.noise);
}

TEST(BayesNet, ExactCovariancesGiveEverythingToRounding) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    const BayesNetDataOptions options{.samples = 2, .seed = seed};
    const BayesNetData data = generate_bayesnet(options);
    const BayesNet net = learn_bayesnet({data.covariances, {}}, with_hidden(4));
    const BayesNetScore score = score_of(net, data);
    EXPECT_LT(score.error_loadings, 1e-8);
    EXPECT_LT(score.error_variances, 1e-8);
    EXPECT_EQ(score.noise.precision, 1);
    EXPECT_EQ(score.noise.recall, 1);
    EXPECT_EQ(net.parts.certificate.level, Certified::exact);
    EXPECT_EQ(net.negative_noise, 0);
    ASSERT_EQ(net.parts.sparse.count(), data.noise.count());
    for (std::size_t e = 0; e < net.parts.sparse.values().size(); ++e) {
      EXPECT_NEAR(net.parts.sparse.values()[e], data.noise.values()[e], 1e-8);
    }
  }
}

TEST(BayesNet, SamplesGiveNearlyWhatKnownNoiseWould) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    const BayesNetDataOptions options{
        .variables = 30, .hidden = 3, .networks = 10, .samples = 3000, .seed = seed};
    const BayesNetData data = generate_bayesnet(options);
    const NetworkCovariances networks = of_samples(data);
    const BayesNet net = learn_bayesnet(networks, with_hidden(3));
    const BayesNetScore score = score_of(net, data);
    const CpModel oracle = fit_with_known_noise(networks, data.low_rank, data.noise);
    const double best =
        score_bayesnet(oracle, data.noise, data.low_rank, data.noise).error_loadings;
    EXPECT_LT(score.error_loadings, 1.2 * best);
    EXPECT_GT(score.noise.precision, 0.95);
    EXPECT_GT(score.noise.recall, 0.95);
    EXPECT_NE(net.parts.certificate.level, Certified::exact);
    EXPECT_EQ(net.parts.low_rank.factor(0), net.parts.low_rank.factor(1));
    EXPECT_GE(net.parts.low_rank.factor(2).minCoeff(), 0);
  }
}

/// Sigma is diagonal: whatever is found is false.
TEST(BayesNet, FindsNextToNothingWhereThereIsNothing) {
  Index found = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const BayesNetDataOptions options{
        .variables = 25, .hidden = 2, .networks = 6, .samples = 1000, .density = 0, .seed = seed};
    const BayesNetData data = generate_bayesnet(options);
    found += learn_bayesnet(of_samples(data), with_hidden(2)).noise_edges;
  }
  EXPECT_LE(found, 3);  // of 9000 pairs
}

TEST(BayesNet, UnitsOfTheVariablesDoNotMatter) {
  const BayesNetDataOptions options{.variables = 25, .hidden = 2, .networks = 6, .samples = 2000};
  const BayesNetData data = generate_bayesnet(options);
  const NetworkCovariances networks = of_samples(data);
  NetworkCovariances scaled = networks;
  Rng rng(3);
  const Vector units =
      Vector::NullaryExpr(25, [&] { return std::ldexp(1.0, int(rng.below(20)) - 10); });
  for (Matrix& C : scaled.covariances) C = units.asDiagonal() * C * units.asDiagonal();
  const BayesNet net = learn_bayesnet(networks, with_hidden(2));
  const BayesNet other = learn_bayesnet(scaled, with_hidden(2));
  ASSERT_EQ(net.parts.sparse.count(), other.parts.sparse.count());
  for (std::size_t e = 0; e < net.parts.sparse.values().size(); ++e) {
    EXPECT_EQ(net.parts.sparse.positions()[e], other.parts.sparse.positions()[e]);
  }
  for (Index i = 0; i < 25; ++i) {
    for (Index j = 0; j < 25; ++j) {
      EXPECT_NEAR(other.parts.low_rank.entry({i, j, 3}) / (units[i] * units[j]),
                  net.parts.low_rank.entry({i, j, 3}), 1e-6);
    }
  }
}

TEST(BayesNet, OneNetworkGivesItsLowRankPart) {
  const BayesNetDataOptions options{
      .variables = 60, .hidden = 2, .networks = 1, .samples = 2, .density = 0.02};
  const BayesNetData data = generate_bayesnet(options);
  const BayesNet net = learn_bayesnet({data.covariances, {}}, with_hidden(2));
  EXPECT_LT(score_of(net, data).error_low_rank, 1e-8);
  EXPECT_EQ(score_of(net, data).noise.recall, 1);
}

TEST(BayesNet, RefusesWhatIsNoCovariance) {
  const Matrix fine = Matrix::Identity(5, 5);
  const auto learn = [](std::vector<Matrix> covariances, std::vector<double> samples = {}) {
    return learn_bayesnet({std::move(covariances), std::move(samples)}, with_hidden(1));
  };
  Matrix skew = fine;
  skew(0, 1) = 0.5;
  Matrix flat = fine;
  flat(2, 2) = 0;
  Matrix infinite = fine;
  infinite(1, 1) = std::numeric_limits<double>::infinity();
  EXPECT_THROW(learn({}), InputError);
  EXPECT_THROW(learn({fine, Matrix::Identity(4, 4)}), InputError);
  EXPECT_THROW(learn({fine, skew}), InputError);
  EXPECT_THROW(learn({fine, flat}), InputError);
  EXPECT_THROW(learn({fine, infinite}), InputError);
  EXPECT_THROW(learn({fine, fine}, {100}), InputError);
  const auto refused = [&](const BayesNetOptions& options) {
    return test::refused_option([&] { learn_bayesnet({{fine}, {}}, options); });
  };
  EXPECT_EQ(refused(with_hidden(-1)), "hidden");
  BayesNetOptions careless = with_hidden(1);
  careless.false_discovery = 0;
  EXPECT_EQ(refused(careless), "false-discovery");
}

TEST(BayesNetScore, MatchesComponentsWhateverTheirOrderAndSign) {
  const BayesNetDataOptions options{.variables = 10, .hidden = 3, .networks = 4, .samples = 2};
  const BayesNetData data = generate_bayesnet(options);
  const std::vector<Index> turned = {2, 0, 1};
  Matrix U = data.low_rank.factor(0)(Eigen::all, turned);
  U.col(1) *= -1;
  const Matrix w = data.low_rank.factor(2)(Eigen::all, turned);
  const Vector weights = data.low_rank.weights()(turned);
  const BayesNetScore same =
      score_bayesnet({weights, {U, U, w}}, data.noise, data.low_rank, data.noise);
  EXPECT_LT(same.error_loadings, 1e-14);
  EXPECT_LT(same.error_variances, 1e-14);
  U.col(0) *= 0.9;
  EXPECT_NEAR(
      score_bayesnet({weights, {U, U, w}}, data.noise, data.low_rank, data.noise).error_loadings,
      0.1 / std::sqrt(3), 1e-12);
}

}  // namespace
}  // namespace sunder
