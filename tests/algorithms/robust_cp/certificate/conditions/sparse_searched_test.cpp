#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/judged_model.hpp"

namespace sunder::robust {
namespace {

using test::JudgedModel;

/// Half of the entries of each fibre of 3,000 are errors, which makes 45 million pairs.
JudgedModel with_long_sparse() {
  JudgedModel model(Shape{3000, 4, 10}, 1);
  model.corrupt(0.5);
  return model;
}

TEST(SparseSearched, AComponentMayBeInALongS) {
  JudgedModel model = with_long_sparse();
  EXPECT_EQ(model.failed(), 0);
  model.asked = {.rank = 2};
  EXPECT_EQ(model.failed(), 15);
}

TEST(SparseSearched, WhereTheRankWasChosenTheUserIsTold) {
  JudgedModel model = with_long_sparse();
  model.asked = {.rank = 1, .chosen = true};
  const Judgement judgement = model.judgement();
  EXPECT_EQ(judgement.certificate.level, Certified::exact);
  EXPECT_THAT(judgement.certificate.explanation, ::testing::HasSubstr("S is too long"));
}

}  // namespace
}  // namespace sunder::robust
