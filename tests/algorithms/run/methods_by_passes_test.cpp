// Methods that know the tensor through passes give the same answer wherever it is stored, however
// many processes share it, and however often they are interrupted.
#include <gtest/gtest.h>

#include "algorithms/run/method_problems.hpp"
#include "algorithms/same_decomposition.hpp"
#include "io/expect_error.hpp"
#include "memory_keeper.hpp"
#include "memory_reader.hpp"
#include "sunder/core/error.hpp"
#include "thread_communicator.hpp"

namespace sunder {
namespace {

using test::expect_same_answer;
using test::expect_same_run;
using test::MemoryKeeper;
using test::MethodProblem;
using test::problem_of;
using test::short_problem_of;

StoredTensor stored(const DenseTensor& tensor) {
  const auto reader = std::make_shared<test::MemoryReader>(tensor);
  return {reader, reader->layout(), tensor.entries() / 5};
}

TEST(MethodsByPasses, GiveTheBitsOfATensorInMemory) {
  for (const std::string& name : test::methods_by_passes()) {
    SCOPED_TRACE(name);
    const MethodProblem problem = short_problem_of(name);
    const Decomposition memory = problem.solve();
    EXPECT_GT(memory.low_rank.rank(), 0);
    const StoredTensor tensor = stored(problem.data.tensor);
    const Decomposition file = problem.method->decompose(tensor, problem.run);
    expect_same_run(file, memory);
    EXPECT_EQ(memory.bytes_read, 0);
    EXPECT_EQ(file.bytes_read, tensor.reader->bytes_read());
  }
}

TEST(MethodsByPasses, GiveTheSameAnswerInThreeProcesses) {
  for (const std::string& name : test::methods_by_passes()) {
    SCOPED_TRACE(name);
    const MethodProblem problem = short_problem_of(name);
    const Decomposition alone = problem.solve();
    std::array<Index, 3> found{};
    test::run_ranks(3, [&](std::shared_ptr<const Communicator> communicator) {
      RunOptions run = problem.run;
      run.communicator = communicator;
      const Decomposition together = problem.method->decompose(stored(problem.data.tensor), run);
      expect_same_answer(together, alone);
      EXPECT_EQ(together.sparse_norm, alone.sparse_norm);
      found[communicator->rank()] = together.sparse.count();
    });
    EXPECT_EQ(found[0] + found[1] + found[2], alone.sparse_count);
  }
}

/// Interrupts a run again and again, each time a little later.
class Interrupted {
 public:
  Interrupted(const MethodProblem& problem, int first_stop)
      : problem_(problem), first_stop_(first_stop) {}

  Decomposition solve() {
    RunOptions run = problem_.run;
    run.state_keeper = &keeper;
    Decomposition result;
    do {
      int questions = 0;
      const int last = first_stop_ * ++runs;
      run.progress = [&](const Progress&) {
        return ++questions > last ? Continue::cancel : Continue::yes;
      };
      result = problem_.method->decompose(problem_.data.tensor.view(), run);
    } while (result.outcome == Outcome::cancelled && runs < 50);
    return result;
  }

  MemoryKeeper keeper;
  int runs = 0;

 private:
  const MethodProblem& problem_;
  int first_stop_;
};

int questions_of(MethodProblem problem) {
  int questions = 0;
  problem.run.progress = [&](const Progress&) {
    ++questions;
    return Continue::yes;
  };
  problem.solve();
  return questions;
}

TEST(MethodsByPasses, GiveTheBitsOfAnUninterruptedRunAfterEveryInterruption) {
  std::vector<std::string> names = test::methods_by_passes();
  names.emplace_back("rtd-whiten-slice");
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const MethodProblem problem = problem_of(name);
    const Decomposition whole = problem.solve();
    const int all = questions_of(problem_of(name));
    for (const int parts : {2, 3, 7, 11}) {
      Interrupted interrupted(problem, std::max(1, all / parts));
      expect_same_run(interrupted.solve(), whole);
      EXPECT_GT(interrupted.runs, 1);
      EXPECT_GT(interrupted.keeper.times, 0);
    }
  }
}

TEST(MethodsByPasses, KeepTheirStateWhenTheTimeIsUp) {
  for (const char* name : {"rtd-als", "rtd"}) {
    SCOPED_TRACE(name);
    MethodProblem problem = problem_of(name);
    const Decomposition whole = problem.solve();
    MemoryKeeper keeper;
    keeper.always_due = false;
    problem.run.state_keeper = &keeper;
    problem.run.max_seconds = 1;
    bool waited = false;
    problem.run.progress = [&](const Progress& progress) {
      if (progress.residual < 0 || waited) return Continue::yes;
      waited = true;
      std::this_thread::sleep_for(std::chrono::seconds(1));
      return Continue::yes;
    };
    const Decomposition first = problem.solve();
    EXPECT_EQ(first.outcome, Outcome::time_limit);
    EXPECT_EQ(keeper.times, 1);
    problem.run.progress = {};
    problem.run.max_seconds = 0;
    expect_same_run(problem.solve(), whole);
    EXPECT_EQ(keeper.times, 1);
  }
}

TEST(MethodsByPasses, TheFirstProcessMeasuresTheTime) {
  const MethodProblem problem = short_problem_of("rtd-als");
  test::run_ranks(3, [&](std::shared_ptr<const Communicator> communicator) {
    RunOptions run = problem.run;
    run.communicator = communicator;
    run.max_seconds = communicator->rank() == 0 ? 1e-9 : 0;
    const Decomposition result = problem.method->decompose(problem.data.tensor.view(), run);
    EXPECT_EQ(result.outcome, Outcome::time_limit);
    run.max_seconds = communicator->rank() == 0 ? 0 : 1e-9;
    EXPECT_EQ(problem.method->decompose(problem.data.tensor.view(), run).outcome,
              Outcome::iteration_limit);
  });
}

TEST(MethodsByPasses, ACancellationInOneProcessEndsAll) {
  const MethodProblem problem = short_problem_of("rtd-als");
  test::run_ranks(3, [&](std::shared_ptr<const Communicator> communicator) {
    RunOptions run = problem.run;
    run.communicator = communicator;
    int questions = 0;
    run.progress = [&](const Progress&) {
      return communicator->rank() == 1 && ++questions > 20 ? Continue::cancel : Continue::yes;
    };
    EXPECT_EQ(problem.method->decompose(problem.data.tensor.view(), run).outcome,
              Outcome::cancelled);
  });
}

TEST(MethodsByPasses, RefuseTheStateOfAnotherMethodOrTensor) {
  MemoryKeeper keeper;
  MethodProblem problem = problem_of("rtd-als");
  problem.run.state_keeper = &keeper;
  problem.solve();
  ASSERT_GT(keeper.times, 0);
  MethodProblem other = problem_of("rtd");
  other.run.state_keeper = &keeper;
  testing::expect_error<InputError>([&] { other.solve(); },
                                    {"checkpoint does not fit", "rtd", "begin anew"});
  const DenseTensor larger(Shape{31, 25, 20});
  testing::expect_error<InputError>([&] { problem.method->decompose(larger.view(), problem.run); },
                                    {"checkpoint does not fit", "30 x 25 x 20", "31 x 25 x 20"});
}

TEST(MethodsByPasses, RefuseAStoredTensorThatIsNotSymmetricAsInMemory) {
  MethodProblem problem = problem_of("rtd");
  problem.data.tensor.typed<double>()[123] += 0.5;
  std::string in_memory;
  try {
    problem.solve();
  } catch (const InputError& error) {
    in_memory = error.what();
  }
  EXPECT_NE(in_memory.find("(0, 6, 3)"), std::string::npos) << in_memory;
  testing::expect_error<InputError>(
      [&] { problem.method->decompose(stored(problem.data.tensor), problem.run); }, {in_memory});
}

}  // namespace
}  // namespace sunder
