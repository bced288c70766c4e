#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/judged_model.hpp"

namespace sunder::robust {
namespace {

using test::JudgedModel;

/// The model is the best that was found, and is kept.
TEST(SearchCompleted, ASearchThatEndedEarlyWithholdsTheCertificate) {
  JudgedModel model({15, 20, 25});
  model.search.cut_short = true;
  const Judgement judgement = model.judgement();
  ASSERT_TRUE(judgement.failure.has_value());
  EXPECT_EQ(judgement.failure->number, 9);
  EXPECT_FALSE(judgement.rejects());
  EXPECT_EQ(judgement.certificate.level, Certified::none);
  EXPECT_THAT(judgement.certificate.explanation, ::testing::HasSubstr("was not completed"));
}

TEST(SearchCompleted, MovesThatWereTakenAreNoReproach) {
  JudgedModel model({15, 20, 25});
  model.search.moves = 3;
  EXPECT_EQ(model.failed(), 0);
}

}  // namespace
}  // namespace sunder::robust
