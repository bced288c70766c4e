#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/judged_model.hpp"

namespace sunder::robust {
namespace {

using test::JudgedModel;

/// Two components of three that were asked for, and one at work on 2 x 3 x 3 entries among errors.
JudgedModel with_small_component() {
  JudgedModel model({15, 20, 25});
  model.asked = {.rank = 3};
  std::vector<Matrix> small = test::random_model(Shape{15, 20, 25}, 1, 5).factors();
  small[0].bottomRows(13).setZero();
  small[1].bottomRows(17).setZero();
  small[2].bottomRows(22).setZero();
  const DenseTensor added = test::dense(test::model_of(small));
  for (std::size_t i = 0; i < model.tensor.typed<double>().size(); ++i) {
    model.tensor.typed<double>()[i] += added.typed<double>()[i];
  }
  return model;
}

TEST(SparseNotProportional, AComponentInSIsNotTakenForErrors) {
  JudgedModel model = with_small_component();
  EXPECT_EQ(model.failed(), 8);
  model.corrupt(0.01);
  EXPECT_EQ(model.failed(), 8);
}

/// The user knows the rank, or the solver has searched all of T.
TEST(SparseNotProportional, WhereNoComponentIsLeftOverSIsErrors) {
  JudgedModel model = with_small_component();
  model.asked = {.rank = 2};
  EXPECT_EQ(model.failed(), 0);
  model.asked = {.rank = 3, .searched_all = true};
  EXPECT_EQ(model.failed(), 0);
}

TEST(SparseNotProportional, ARankThatWasChosenLeavesRoomForMore) {
  JudgedModel model = with_small_component();
  model.asked = {.rank = 2, .chosen = true};
  EXPECT_EQ(model.failed(), 8);
}

}  // namespace
}  // namespace sunder::robust
