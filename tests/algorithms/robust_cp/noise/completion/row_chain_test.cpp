#include "algorithms/robust_cp/noise/completion/row_chain.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "algorithms/robust_cp/noise/completion/row_posteriors.hpp"

namespace sunder::robust {
namespace {

Matrix normals(Index rows, Index columns, Rng& rng) {
  return Matrix::NullaryExpr(rows, columns, [&] { return rng.normal(); });
}

Matrix positive(Index size, Rng& rng) {
  const Matrix root = normals(size, size, rng);
  return root * root.transpose() + Matrix::Identity(size, size);
}

/// The smoother against the inverse of the whole precision matrix.
TEST(RowChain, IsThePosteriorOfAllRowsTogether) {
  const Index count = 4;
  const Index rank = 2;
  Rng rng(1);
  RowPrior prior{true, normals(rank, 1, rng), positive(rank, rng), Vector{{0.9, 0.3}},
                 positive(rank, rng)};
  RowMatrix halves(count, 3);
  const RowMatrix sums = normals(count, rank, rng);
  Matrix precision = Matrix::Zero(count * rank, count * rank);
  Vector right(count * rank);
  const Matrix a = prior.persistence.asDiagonal();
  const Matrix next = prior.innovation.inverse();
  for (Index i = 0; i < count; ++i) {
    const Matrix data = positive(rank, rng);
    halves.row(i) = packed(data);
    precision.block(i * rank, i * rank, rank, rank) +=
        data + (i == 0 ? Matrix(prior.covariance.inverse()) : next);
    right.segment(i * rank, rank) = sums.row(i).transpose() - data * prior.mean;
    if (i + 1 == count) break;
    precision.block(i * rank, i * rank, rank, rank) += a * next * a;
    precision.block(i * rank, (i + 1) * rank, rank, rank) = -a * next;
    precision.block((i + 1) * rank, i * rank, rank, rank) = -next * a;
  }
  const Matrix covariance = precision.inverse();
  const Vector mean = covariance * right;
  const RowPosterior rows = row_posterior(prior, halves, sums);
  for (Index i = 0; i < count; ++i) {
    const Vector x = mean.segment(i * rank, rank) + prior.mean;
    EXPECT_LT((rows.means.row(i).transpose() - x).norm(), 1e-12);
    EXPECT_LT((rows.covariances[i] - covariance.block(i * rank, i * rank, rank, rank)).norm(),
              1e-12);
    if (i + 1 == count) break;
    EXPECT_LT((rows.crosses[i] - covariance.block(i * rank, (i + 1) * rank, rank, rank)).norm(),
              1e-12);
  }
}

TEST(RowChain, LearnsHowAlikeNeighboursAre) {
  for (const double persistence : {0.0, 0.8}) {
    const Index count = 4000;
    Rng rng(2);
    RowPosterior rows{RowMatrix(count, 1), std::vector<Matrix>(count, Matrix::Zero(1, 1)),
                      std::vector<Matrix>(count - 1, Matrix::Zero(1, 1))};
    double x = 0;
    for (Index i = 0; i < count; ++i) {
      x = persistence * x + std::sqrt(1 - persistence * persistence) * rng.normal();
      rows.means(i, 0) = x + 3;
    }
    RowPrior prior = first_prior(1, 1, true);
    for (int step = 0; step < 3; ++step) estimate_prior(rows, true, prior);
    EXPECT_NEAR(prior.persistence[0], persistence, 0.1);
    EXPECT_NEAR(prior.innovation(0, 0), 1 - persistence * persistence, 0.12);
  }
}

/// Random walks along the last mode; whole fibres of the first mode are hidden, so that a row of
/// the last mode is known from few entries.
struct SmoothExample {
  SmoothExample() {
    Factors factors;
    core.shape = Shape{12, 15, 40};
    for (const Index extent : core.shape) factors.emplace_back(normals(extent, 3, rng));
    for (Index k = 1; k < 40; ++k) {
      factors[2].row(k) = 0.97 * factors[2].row(k - 1) + 0.24 * factors[2].row(k);
    }
    truth = evaluate(factors);
    core.values = truth;
    core.observed = Entries::Ones(truth.size());
    for (Index i = 0; i < truth.size(); ++i) {
      core.values[i] += 0.3 * rng.normal();
      const bool outage = i % 40 >= 20 && i % 40 < 24;
      if (outage || rng.bernoulli(0.7)) core.observed[i] = core.values[i] = 0;
    }
  }
  double error(const SmoothModes& smooth) {
    Monitor monitor;
    Rng start(7);
    const Factors found = fit_row_posteriors(core, 4, smooth, start, monitor).factors;
    const Entries gaps = 1 - core.observed;
    return std::sqrt((gaps * (evaluate(found) - truth).square()).sum() /
                     (gaps * truth.square()).sum());
  }
  Rng rng{3};
  DenseCore core;
  Entries truth;
};

TEST(RowChain, SmoothModesHelpWhereRowsAreHardlyKnown) {
  SmoothExample example;
  const double without = example.error({false, {}});
  EXPECT_LT(example.error({false, {2}}), 0.8 * without);
  EXPECT_LT(example.error({}), 0.9 * without);
  EXPECT_LT(example.error({false, {0, 1}}), 1.2 * without) << "rows that are not smooth";
}

}  // namespace
}  // namespace sunder::robust
