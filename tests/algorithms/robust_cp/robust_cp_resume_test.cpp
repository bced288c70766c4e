// Runs that are broken off at every stage and go on.
#include <gtest/gtest.h>

#include "io/expect_error.hpp"
#include "planted_problem.hpp"
#include "sunder/algorithms/robust_cp.hpp"
#include "sunder/core/error.hpp"
#include "thread_communicator.hpp"

namespace sunder {
namespace {

class MemoryKeeper final : public StateKeeper {
 public:
  const std::vector<std::byte>& kept() const override { return kept_; }
  bool due() const override { return always_due; }
  void keep(const std::vector<std::byte>& state) override {
    kept_ = state;
    ++times;
  }
  bool always_due = true;
  int times = 0;

 private:
  std::vector<std::byte> kept_;
};

void expect_same(const Decomposition& a, const Decomposition& b) {
  EXPECT_TRUE(a.low_rank.weights() == b.low_rank.weights());
  for (int mode = 0; mode < a.low_rank.order(); ++mode) {
    EXPECT_TRUE(a.low_rank.factor(mode) == b.low_rank.factor(mode));
  }
  EXPECT_EQ(a.outcome, b.outcome);
  EXPECT_EQ(a.certificate.level, b.certificate.level);
  EXPECT_EQ(a.certificate.explanation, b.certificate.explanation);
  EXPECT_TRUE(std::ranges::equal(a.sparse.positions(), b.sparse.positions()));
  EXPECT_TRUE(std::ranges::equal(a.sparse.values(), b.sparse.values()));
  EXPECT_EQ(a.passes, b.passes);
  EXPECT_EQ(a.entries_sampled, b.entries_sampled);
  ASSERT_EQ(a.trace.size(), b.trace.size());
  for (std::size_t k = 0; k < a.trace.size(); ++k) {
    EXPECT_EQ(a.trace[k].stage, b.trace[k].stage);
    EXPECT_EQ(a.trace[k].pass, b.trace[k].pass);
    EXPECT_EQ(a.trace[k].entries_sampled, b.trace[k].entries_sampled);
  }
}

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
      expect_same(result, whole);
      EXPECT_TRUE(part > 3 || runs > 1);
      EXPECT_GT(keeper.times, 0);
    }
    run.state_keeper = nullptr;
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
