#include "algorithms/robust_cp/consensus/components/exchange.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/recipes.hpp"

namespace sunder::robust {
namespace {

struct Trials {
  test::Recipe recipe;
  Rng rng{1};
  Monitor monitor;

  explicit Trials(test::Recipe made) : recipe(std::move(made)) {}

  Trial with(const Factors& model, const Factors& added, Index most) {
    return with_components(recipe.window(), model, added, {.most_components = most}, rng, monitor);
  }
};

TEST(Exchange, AComponentForWhichThereIsRoomStays) {
  Rng rng(1);
  Trials trials(test::components_on_box({15, 15, 15}, 1, 0, 8, rng));
  const Factors& truth = trials.recipe.truth;
  const Factors first = without_component(truth, 1);
  for (const Index most : {0, 2}) {
    const Trial trial = trials.with(first, without_component(truth, 0), most);
    EXPECT_EQ(trial.gain, 512);
    EXPECT_EQ(trial.unknowns, 3 * 8 - 2);
    EXPECT_FALSE(trial.exchanged);
    EXPECT_TRUE(trial.is_better());
    EXPECT_LT(trials.recipe.error(trial.factors), 1e-12);
  }
}

/// The component on the smaller box leaves.
TEST(Exchange, TheComponentThatFitsTheLeastLeaves) {
  Rng rng(2);
  const Shape shape{15, 15, 15};
  const Factors everywhere = test::normal_component(shape, rng);
  const Factors small = test::on_box(test::normal_component(shape, rng), 10, 4);
  const Factors large = test::on_box(test::normal_component(shape, rng), 0, 8);
  Trials trials(test::Recipe(joined(joined(everywhere, small), large)));
  const Trial trial = trials.with(joined(everywhere, small), large, 2);
  EXPECT_TRUE(trial.exchanged);
  EXPECT_EQ(trial.gain, 512 - 64);
  EXPECT_TRUE(trial.is_better());
  Monitor monitor;
  EXPECT_EQ(cost_of_place(trials.recipe.window(), trials.recipe.truth, monitor), 64);
}

TEST(Exchange, FewEntriesAreAHintAndNoMove) {
  Trial trial;
  trial.unknowns = 10;
  trial.gain = 30;
  EXPECT_FALSE(trial.is_better());
  EXPECT_TRUE(trial.is_a_hint());
  trial.gain = 31;
  EXPECT_TRUE(trial.is_better());
  trial.gain = 10;
  EXPECT_FALSE(trial.is_a_hint());
}

}  // namespace
}  // namespace sunder::robust
