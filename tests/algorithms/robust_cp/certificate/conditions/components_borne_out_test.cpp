#include "algorithms/robust_cp/certificate/conditions/components_borne_out.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/robust_cp/certificate/judged_model.hpp"

namespace sunder::robust {
namespace {

using test::JudgedModel;

/// A third component that is at work on a corner of 4 x 5 x 6 entries.
Factors with_corner_component(const Factors& truth) {
  Factors factors;
  for (const Matrix& factor : truth) {
    Matrix wider(factor.rows(), 3);
    wider << factor, Matrix::Zero(factor.rows(), 1);
    wider.col(2).head(4 + std::ssize(factors)).setOnes();
    factors.push_back(wider);
  }
  return factors;
}

/// The corner spoils no slice.
TEST(ComponentsBorneOut, AComponentThatNoEntrySupportsIsNoticed) {
  JudgedModel model({30, 30, 30});
  model.factors = with_corner_component(model.factors);
  const Judgement judgement = model.judgement();
  ASSERT_TRUE(judgement.failure.has_value());
  EXPECT_EQ(judgement.failure->number, 6);
  EXPECT_EQ(judgement.failure->check.count, 1);
  EXPECT_THAT(judgement.failure->sentence, ::testing::HasSubstr("1 component "));
}

TEST(ComponentsBorneOut, MoreIsAskedForWhereMoreIsFitted) {
  JudgedModel model({20, 20, 20});
  model.corrupt(0.8);
  Engine engine(model.tensor.view(), 1);
  Rng rng(1);
  EXPECT_EQ(examine_components(engine, model.factors, model.level, 0.2, rng).bad, 0);
  EXPECT_EQ(examine_components(engine, model.factors, model.level, 1.0, rng).bad, 2);
  EXPECT_NEAR(examine_components(engine, model.factors, model.level, 0.2, rng).weakest_share, 0.2,
              0.08);
}

}  // namespace
}  // namespace sunder::robust
