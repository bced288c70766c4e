// What every method does alike, whatever its iteration is.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "algorithms/run/method_problems.hpp"
#include "io/expect_error.hpp"
#include "memory_keeper.hpp"
#include "memory_reader.hpp"
#include "sparse_collector.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

using test::MethodProblem;
using test::problem_of;

class EveryMethod : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryMethod, StopsSoonAfterTheCallerCancels) {
  MethodProblem problem = problem_of(GetParam());
  int questions = 0;
  problem.run.progress = [&](const Progress& progress) {
    EXPECT_FALSE(progress.stage.empty());
    return ++questions >= 3 ? Continue::cancel : Continue::yes;
  };
  const Decomposition result = problem.solve();
  EXPECT_EQ(result.outcome, Outcome::cancelled);
  EXPECT_EQ(result.low_rank.shape(), problem.data.tensor.shape());
  EXPECT_LE(questions, 5);
}

TEST_P(EveryMethod, SaysThatTheTimeWasTooShortToFindAnything) {
  MethodProblem problem = problem_of(GetParam());
  problem.run.max_seconds = 1e-9;
  const Decomposition result = problem.solve();
  EXPECT_EQ(result.outcome, Outcome::time_limit);
  EXPECT_EQ(to_string(result.outcome), "time_limit");
  EXPECT_EQ(result.low_rank.rank(), 0);
  EXPECT_EQ(result.low_rank.shape(), problem.data.tensor.shape());
  EXPECT_EQ(result.sparse_count, 0);
  EXPECT_EQ(result.certificate.level, Certified::none);
  EXPECT_NE(result.certificate.explanation.find("time limit"), std::string::npos);
}

TEST_P(EveryMethod, GivesWhatItFoundUntilTheTimeLimit) {
  MethodProblem problem = problem_of(GetParam());
  problem.run.max_seconds = 1;
  // The callback lets the time pass as soon as there is something to give.
  bool waited = false;
  problem.run.progress = [&](const Progress& progress) {
    const bool found = progress.residual >= 0 || progress.stage == "finding S";
    if (!found || waited) return Continue::yes;
    waited = true;
    std::this_thread::sleep_for(std::chrono::seconds(1));
    return Continue::yes;
  };
  const Decomposition result = problem.solve();
  ASSERT_TRUE(waited);
  EXPECT_EQ(result.outcome, Outcome::time_limit);
  EXPECT_EQ(result.sparse.count(), result.sparse_count);
  EXPECT_NE(result.certificate.explanation.find("time limit"), std::string::npos);
  // These two report what they do before there is an L.
  if (GetParam() == "shah" || GetParam() == "rtd-whiten-slice") return;
  EXPECT_GT(result.low_rank.rank(), 0);
}

TEST_P(EveryMethod, IsNotChangedByALimitThatItDoesNotReach) {
  MethodProblem problem = problem_of(GetParam());
  const Decomposition without = problem.solve();
  problem.run.max_seconds = 1e6;
  const Decomposition within = problem.solve();
  EXPECT_EQ(within.outcome, without.outcome);
  EXPECT_TRUE(within.low_rank.factor(0) == without.low_rank.factor(0));
  EXPECT_EQ(within.passes, without.passes);
  problem.run.max_seconds = -1;
  testing::expect_error<OptionError>([&] { problem.solve(); }, {"`max-seconds`", "-1"});
}

TEST_P(EveryMethod, StreamsSToAReceiver) {
  MethodProblem problem = problem_of(GetParam());
  const Decomposition listed = problem.solve();
  test::Collector receiver;
  problem.run.sparse_receiver = &receiver;
  const Decomposition streamed = problem.solve();
  EXPECT_EQ(streamed.sparse.count(), 0);
  EXPECT_EQ(streamed.sparse_count, listed.sparse_count);
  EXPECT_TRUE(std::ranges::equal(receiver.positions, listed.sparse.positions()));
  EXPECT_TRUE(std::ranges::equal(receiver.values, listed.sparse.values()));
}

/// Three processes, for a method that refuses them before it says a word to them.
class ThreeProcesses final : public Communicator {
 public:
  int rank() const override { return 0; }
  int size() const override { return 3; }
  void broadcast(std::span<double>, int) const override { FAIL(); }
  void together(const std::function<void()>&) const override { FAIL(); }
};

TEST_P(EveryMethod, RefusesWhatItCannotHeed) {
  const MethodAbilities abilities = make_method(GetParam())->abilities();
  const auto refuses = [&](auto&& change) {
    MethodProblem problem = problem_of(GetParam());
    change(problem.run);
    testing::expect_error<OptionError>([&] { problem.solve(); }, {abilities.sentence});
  };
  test::MemoryKeeper keeper;
  if (!abilities.checkpoints) refuses([&](RunOptions& run) { run.state_keeper = &keeper; });
  if (!abilities.stored) refuses([](RunOptions& run) { run.memory = 1 << 20; });
  if (!abilities.processes) {
    refuses([](RunOptions& run) { run.communicator = std::make_shared<ThreeProcesses>(); });
  }
  if (!abilities.chooses_rank) {
    MethodProblem problem = problem_of(GetParam());
    problem.run.rank = 0;
    testing::expect_error<OptionError>([&] { problem.solve(); }, {"cannot choose the rank"});
  }
  if (abilities.stored) return;
  const MethodProblem problem = problem_of(GetParam());
  const auto reader = std::make_shared<test::MemoryReader>(problem.data.tensor);
  testing::expect_error<InputError>(
      [&] {
        problem.method->decompose(StoredTensor{reader, reader->layout(), 4000}, problem.run);
      },
      {GetParam(), "whole tensor in memory", "robust-cp"});
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, ::testing::ValuesIn(method_names()), test_name);

TEST(Abilities, OneSentenceSaysWhatAMethodCannotDo) {
  EXPECT_EQ(make_method("robust-cp")->abilities().sentence, "");
  EXPECT_EQ(make_method("rtd-als")->abilities().sentence,
            "rtd-als cannot choose the rank: use robust-cp, which has no such limit");
  EXPECT_EQ(make_method("pcp-flat")->abilities().sentence,
            "pcp-flat needs the whole tensor in memory, keeps no checkpoints, runs in one process "
            "only and cannot choose the rank: use robust-cp, which has no such limit");
  for (const std::string& name : test::methods_by_passes()) {
    const auto method = make_method(name);
    EXPECT_TRUE(method->takes_stored() && method->keeps_state() && method->runs_in_processes());
  }
  EXPECT_FALSE(make_method("altproj-flat")->runs_in_processes());
}

}  // namespace
}  // namespace sunder
