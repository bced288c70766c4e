#include <gtest/gtest.h>

#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/judged_model.hpp"

namespace sunder::robust {
namespace {

using test::JudgedModel;

/// The search could not explain a dense part of S, whoever chose the rank.
TEST(NothingHides, ADensePartOfSLeavesNoCertificate) {
  JudgedModel model({15, 20, 25});
  model.search.may_lack = true;
  EXPECT_EQ(model.failed(), 11);
  EXPECT_FALSE(model.judgement().rejects());
  model.asked = {.rank = 2, .chosen = true};
  EXPECT_EQ(model.failed(), 11);
}

}  // namespace
}  // namespace sunder::robust
