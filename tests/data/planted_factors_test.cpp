#include "data/planted_factors.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <Eigen/SVD>
#include <cmath>
#include <numbers>

#include "data/sampling_error.hpp"
#include "sunder/data/planted.hpp"

namespace sunder {
namespace {

using test::five_sigma;
using test::share;

TEST(PlantedFactors, GaussianFactorsHaveUnitColumns) {
  const PlantedTensor planted = generate_planted({.shape = Shape{200, 30, 40}, .rank = 6});
  for (const Matrix& factor : planted.low_rank.factors()) {
    for (Index i = 0; i < 6; ++i) EXPECT_NEAR(factor.col(i).norm(), 1, 1e-14);
  }
  const Matrix& tall = planted.low_rank.factor(0);
  EXPECT_NEAR(tall.array().square().square().mean() * 200 * 200, 3, 1) << "not normal";
  EXPECT_NE(tall(0, 0), planted.low_rank.factor(1)(0, 0));
}

TEST(PlantedFactors, OrthonormalFactors) {
  for (const double zero_rows : {0.0, 0.5, 1.0}) {
    PlantedOptions options;
    options.shape = Shape{50, 8, 20};
    options.rank = 8;
    options.factors = FactorKind::orthonormal;
    options.zero_rows = zero_rows;
    const PlantedTensor planted = generate_planted(options);
    for (const Matrix& factor : planted.low_rank.factors()) {
      EXPECT_LT((factor.transpose() * factor - Matrix::Identity(8, 8)).norm(), 1e-12);
    }
  }
}

TEST(PlantedFactors, ZeroRowsHaveTheirShare) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    PlantedOptions options;
    options.shape = Shape{2000, 5};
    options.zero_rows = 0.3;
    options.seed = seed;
    const Matrix factor = generate_planted(options).low_rank.factor(0);
    const Index zero = (factor.rowwise().norm().array() == 0).count();
    EXPECT_NEAR(share(zero, 2000), 0.3, five_sigma(0.3, 2000));
    EXPECT_NEAR(factor.col(0).norm(), 1, 1e-14);
  }
}

TEST(PlantedFactors, AtLeastRankRowsStay) {
  PlantedOptions options;
  options.shape = Shape{30, 3};
  options.rank = 4;
  options.zero_rows = 1;
  const CpModel model = generate_planted(options).low_rank;
  EXPECT_EQ((model.factor(0).rowwise().norm().array() > 0).count(), 4);
  EXPECT_EQ((model.factor(1).rowwise().norm().array() > 0).count(), 3);
}

TEST(PlantedFactors, Weights) {
  PlantedOptions options;
  options.shape = Shape{10, 10, 10};
  EXPECT_EQ(generate_planted(options).low_rank.weights(), Vector::Ones(5));
  options.weights = WeightKind::decaying;
  EXPECT_LT((generate_planted(options).low_rank.weights() - Vector{{1, .8, .6, .4, .2}}).norm(),
            1e-15);
  options.weights = WeightKind::uniform;
  const Vector uniform = generate_planted(options).low_rank.weights();
  EXPECT_TRUE((uniform.array() > 1).all() && (uniform.array() < 2).all());
  EXPECT_NE(uniform[0], uniform[1]);
  options.rank = 1;
  options.weights = WeightKind::decaying;
  EXPECT_EQ(generate_planted(options).low_rank.weights()[0], 1);
}

/// Slice t of the last mode.
Matrix slice_of(const CpModel& model, Index t) {
  const Vector weights = model.weights().cwiseProduct(model.factor(2).row(t).transpose());
  return model.factor(0) * weights.asDiagonal() * model.factor(1).transpose();
}

TEST(PlantedFactors, ColumnsTurnByTheAngle) {
  PlantedOptions options;
  options.shape = Shape{30, 20, 12};
  options.rank = 1;
  options.rotate = 2;
  const CpModel model = generate_planted(options).low_rank;
  EXPECT_EQ(model.rank(), 4);
  const auto singular = [&](Index t) {
    return Eigen::JacobiSVD<Matrix>(slice_of(model, t), Eigen::ComputeThinU | Eigen::ComputeThinV);
  };
  const auto first = singular(0);
  for (Index t = 0; t < 12; ++t) {
    const auto now = singular(t);
    EXPECT_LT(now.singularValues()[1], 1e-12 * now.singularValues()[0]);
    const double cosine = std::cos(2 * static_cast<double>(t) * std::numbers::pi / 180);
    EXPECT_NEAR(std::abs(first.matrixU().col(0).dot(now.matrixU().col(0))), cosine, 1e-12);
    EXPECT_NEAR(std::abs(first.matrixV().col(0).dot(now.matrixV().col(0))), cosine, 1e-12);
  }
}

TEST(PlantedFactors, FactorsChangeAtTheirSlice) {
  PlantedOptions options;
  options.shape = Shape{30, 20, 12};
  options.rank = 2;
  const CpModel still = generate_planted(options).low_rank;
  options.change_at = 5;
  const CpModel changing = generate_planted(options).low_rank;
  for (Index t = 0; t < 12; ++t) {
    const Matrix before = slice_of(still, t);
    const Matrix now = slice_of(changing, t);
    if (t < 5) {
      EXPECT_LT((now - before).norm(), 1e-14);
    } else {
      EXPECT_GT((now - before).norm(), 0.5 * before.norm());
      EXPECT_EQ(Eigen::FullPivLU<Matrix>(now).setThreshold(1e-10).rank(), 2);
    }
  }
}

}  // namespace
}  // namespace sunder
