#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/judged_model.hpp"

namespace sunder::robust {
namespace {

using test::JudgedModel;

TEST(SlicesFitted, WrongRowsAreCounted) {
  JudgedModel model({15, 20, 25});
  model.factors[1].row(4) *= 1.01;
  model.factors[2].row(9) *= 1.01;
  const Judgement judgement = model.judgement();
  ASSERT_TRUE(judgement.failure.has_value());
  EXPECT_EQ(judgement.failure->number, 5);
  EXPECT_EQ(judgement.failure->check.count, 2);
  EXPECT_THAT(judgement.failure->sentence, ::testing::HasSubstr("2 slices"));
}

/// Statistics of one mode of four slices.
TensorFit fit_of(const std::vector<Index>& observed, const std::vector<Index>& fitted) {
  TensorFit fit;
  fit.slices.emplace_back(std::ssize(observed), SliceDetail::counts);
  fit.slices.front().observed = observed;
  fit.slices.front().fitted = fitted;
  fit.needed = {10};
  return fit;
}

TEST(SlicesFitted, ASliceNeedsItsShareAndItsEntries) {
  EXPECT_EQ(examine_slices(fit_of({100, 100, 100, 100}, {90, 90, 90, 90})).bad, 0);
  // A quarter of the median slice.
  EXPECT_EQ(examine_slices(fit_of({100, 100, 100, 100}, {22, 90, 90, 90})).bad, 1);
  EXPECT_EQ(examine_slices(fit_of({100, 100, 100, 100}, {23, 90, 90, 90})).bad, 0);
  // 8% in any case, and the ten entries that its row needs.
  EXPECT_EQ(examine_slices(fit_of({200, 200, 200, 200}, {15, 20, 20, 20})).bad, 1);
  EXPECT_EQ(examine_slices(fit_of({20, 100, 100, 100}, {9, 90, 90, 90})).bad, 1);
  EXPECT_EQ(examine_slices(fit_of({20, 100, 100, 100}, {10, 90, 90, 90})).bad, 0);
  EXPECT_EQ(examine_slices(fit_of({100, 100, 100, 100}, {30, 90, 90, 90})).weakest_share, 0.3);
}

}  // namespace
}  // namespace sunder::robust
