// Runs that are broken off at every stage and go on.
#include <gtest/gtest.h>

#include "algorithms/robust_cp/recipes.hpp"
#include "algorithms/same_decomposition.hpp"
#include "io/expect_error.hpp"
#include "memory_keeper.hpp"
#include "planted_problem.hpp"
#include "sunder/algorithms/robust_cp.hpp"
#include "sunder/core/error.hpp"
#include "thread_communicator.hpp"

namespace sunder {
namespace {

using test::expect_same_run;
using test::MemoryKeeper;

struct ResumedProblem {
  const char* name;
  double noise;
  double missing;
  int rank;  ///< asked for; 0: to be chosen
};
const std::vector<ResumedProblem> resumed_problems = {
    {"exact", 0, 0, 2}, {"noisy", 0.02, 0.1, 2}, {"choice", 0, 0, 0}, {"too many", 0.02, 0, 4}};

PlantedTensor planted(const ResumedProblem& problem) {
  PlantedOptions options;
  options.shape = Shape{45, 40, 35};
  options.rank = 2;
  options.noise = problem.noise;
  options.missing = problem.missing;
  options.seed = 7;
  return generate_planted(options);
}

TEST(RobustCpResume, GivesTheBitsOfAnUninterruptedRun) {
  for (const ResumedProblem& problem : resumed_problems) {
    SCOPED_TRACE(problem.name);
    const PlantedTensor data = planted(problem);
    RunOptions run;
    run.rank = problem.rank;
    run.threads = 1;
    int questions = 0;
    run.progress = [&](const Progress&) {
      ++questions;
      return Continue::yes;
    };
    const Decomposition whole = robust_cp(data.tensor.view(), run, {});
    const int all = questions;
    ASSERT_GT(all, 5);
    for (int part = 1; part <= 6; ++part) {
      MemoryKeeper keeper;
      run.state_keeper = &keeper;
      // Broken off again and again, each time a little later.
      Decomposition result;
      int runs = 0;
      do {
        questions = 0;
        ++runs;
        run.progress = [&](const Progress&) {
          return ++questions > all * part * runs / 6 ? Continue::cancel : Continue::yes;
        };
        result = robust_cp(data.tensor.view(), run, {});
      } while (result.outcome == Outcome::cancelled && runs < 20);
      expect_same_run(result, whole);
      EXPECT_TRUE(part > 3 || runs > 1);
      EXPECT_GT(keeper.times, 0);
    }
    run.state_keeper = nullptr;
  }
}

TEST(RobustCpResume, ASearchGivesTheBitsOfAnUninterruptedRun) {
  const test::Recipe recipe = test::recipe_g(1).recipe;
  RunOptions run = test::of_rank(2);
  int questions = 0;
  run.progress = [&](const Progress&) {
    ++questions;
    return Continue::yes;
  };
  const Decomposition whole = robust_cp(recipe.tensor.view(), run, {});
  EXPECT_EQ(whole.certificate.level, Certified::exact);
  const int all = questions;
  for (const int last : {all / 4, all / 2, 3 * all / 4, all - 1}) {
    MemoryKeeper keeper;
    run.state_keeper = &keeper;
    questions = 0;
    run.progress = [&](const Progress&) {
      return ++questions > last ? Continue::cancel : Continue::yes;
    };
    ASSERT_EQ(robust_cp(recipe.tensor.view(), run, {}).outcome, Outcome::cancelled) << last;
    ASSERT_GT(keeper.times, 0) << last;
    run.progress = {};
    expect_same_run(robust_cp(recipe.tensor.view(), run, {}), whole);
  }
}

TEST(RobustCpResume, KeepsNothingUntilItIsDueOrBrokenOff) {
  const PlantedTensor data = planted(resumed_problems[1]);
  MemoryKeeper keeper;
  keeper.always_due = false;
  RunOptions run;
  run.rank = 2;
  run.state_keeper = &keeper;
  robust_cp(data.tensor.view(), run, {});
  EXPECT_EQ(keeper.times, 0);
  int questions = 0;
  run.progress = [&](const Progress&) {
    return ++questions > 100 ? Continue::cancel : Continue::yes;
  };
  ASSERT_EQ(robust_cp(data.tensor.view(), run, {}).outcome, Outcome::cancelled);
  EXPECT_EQ(keeper.times, 1);
}

TEST(RobustCpResume, WithAnotherNumberOfProcesses) {
  const PlantedTensor data = planted(resumed_problems[1]);
  RunOptions run;
  run.rank = 2;
  run.threads = 1;
  run.collect_sparse = false;
  const Decomposition whole = robust_cp(data.tensor.view(), run, {});
  MemoryKeeper first;
  test::run_ranks(3, [&](std::shared_ptr<const Communicator> communicator) {
    RunOptions together = run;
    together.communicator = communicator;
    MemoryKeeper other;
    together.state_keeper = communicator->rank() == 0 ? &first : &other;
    int questions = 0;
    together.progress = [&](const Progress&) {
      return ++questions > 100 ? Continue::cancel : Continue::yes;
    };
    EXPECT_EQ(robust_cp(data.tensor.view(), together, {}).outcome, Outcome::cancelled);
    EXPECT_EQ(other.times, 0);
  });
  ASSERT_GT(first.times, 0);
  run.state_keeper = &first;
  const Decomposition result = robust_cp(data.tensor.view(), run, {});
  EXPECT_TRUE(result.low_rank.factor(0) == whole.low_rank.factor(0));
  EXPECT_EQ(result.sparse_count, whole.sparse_count);
}

TEST(RobustCpResume, RefusesAStateOfAnotherRun) {
  MemoryKeeper keeper;
  RunOptions run;
  run.rank = 2;
  run.state_keeper = &keeper;
  robust_cp(planted(resumed_problems[1]).tensor.view(), run, {});
  run.rank = 0;
  testing::expect_error<InputError>(
      [&] { robust_cp(planted(resumed_problems[1]).tensor.view(), run, {}); },
      {"checkpoint does not fit", "rank", "begin anew"});
}

}  // namespace
}  // namespace sunder
