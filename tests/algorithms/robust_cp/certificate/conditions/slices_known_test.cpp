#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/judged_model.hpp"

namespace sunder::robust {
namespace {

using test::JudgedModel;

/// One entry of the slice is known, and some row fits it whatever it is.
TEST(SlicesKnown, ASliceOfMissingEntriesLeavesNoCertificate) {
  JudgedModel model({15, 20, 25});
  const Shape shape = model.tensor.shape();
  for (Index i = 0; i < shape.entries(); ++i) {
    const ModeIndices at = shape.unravel(i);
    if (at[1] != 7 || (at[0] == 2 && at[2] == 3)) continue;
    model.tensor.typed<double>()[i] = std::numeric_limits<double>::quiet_NaN();
  }
  const Judgement judgement = model.judgement();
  ASSERT_TRUE(judgement.failure.has_value());
  EXPECT_EQ(judgement.failure->number, 13);
  EXPECT_EQ(judgement.failure->check.count, 1);
  EXPECT_FALSE(judgement.rejects());
  EXPECT_THAT(judgement.certificate.explanation,
              ::testing::HasSubstr("In every slice that is known"));
}

}  // namespace
}  // namespace sunder::robust
