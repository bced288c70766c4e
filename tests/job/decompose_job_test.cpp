#include "sunder/job/decompose_job.hpp"

#include <nlohmann/json.hpp>

#include "job/job_problem.hpp"
#include "sunder/core/error.hpp"
#include "thread_communicator.hpp"

namespace sunder {
namespace {

using test::cancel_at;
using test::names_in;
using test::read_bytes;
using test::result_names;

class DecomposeJobTest : public test::JobTest {};

TEST_F(DecomposeJobTest, AFileAnArrayAndAFileReadPartByPartGiveTheSameFiles) {
  const JobResult whole = run(job("whole"));
  EXPECT_FALSE(whole.plan.streamed);
  EXPECT_EQ(whole.folder, folder / "whole");
  EXPECT_EQ(names_in(whole.folder), result_names);
  EXPECT_EQ(read_bytes(whole.folder / "summary.json"), whole.summary);
  EXPECT_EQ(whole.decomposition.sparse.count(), whole.decomposition.sparse_count);

  DecomposeJob in_memory = job("memory");
  in_memory.tensor = planted.tensor.view();
  run(in_memory);
  expect_same_files("whole", "memory");

  std::string plan;
  DecomposeJob stored = stored_job("stored");
  stored.on_plan = [&](const MemoryPlan& made) { plan = made.in_words(); };
  const JobResult part_by_part = run(stored);
  EXPECT_TRUE(part_by_part.plan.streamed);
  EXPECT_THAT(plan, ::testing::HasSubstr("stays in its file"));
  EXPECT_EQ(part_by_part.decomposition.sparse.count(), 0);
  EXPECT_EQ(part_by_part.decomposition.sparse_count, whole.decomposition.sparse_count);
  EXPECT_EQ(names_in(folder / "stored"), result_names);
  expect_same_files("whole", "stored");
}

TEST_F(DecomposeJobTest, EvaluatesAgainstTheTruth) {
  for (DecomposeJob job : {job(""), stored_job("")}) {
    job.truth = folder / "truth";
    const JobResult done = run(job);
    ASSERT_TRUE(done.run.evaluation);
    EXPECT_LT(done.run.evaluation->error_low_rank, 1e-6);
    EXPECT_EQ(done.run.evaluation->support.recall, 1);
    EXPECT_EQ(nlohmann::json::parse(done.summary)["error_low_rank"],
              done.run.evaluation->error_low_rank);
    EXPECT_TRUE(done.folder.empty());
  }
}

TEST_F(DecomposeJobTest, WithoutAFolderNothingIsWritten) {
  const std::vector<std::string> before = names_in(folder.path());
  DecomposeJob counted = job("");
  counted.keep_sparse = false;
  const JobResult done = run(counted);
  EXPECT_EQ(done.decomposition.sparse.count(), 0);
  EXPECT_GT(done.decomposition.sparse_count, 0);
  EXPECT_EQ(names_in(folder.path()), before);
}

TEST_F(DecomposeJobTest, OptionsOfTheMethodByName) {
  DecomposeJob other = job("");
  other.method = "rtd-als";
  other.options = {{"max-iterations", "1"}};
  const JobResult done = run(other);
  EXPECT_EQ(done.run.options.at("max-iterations"), "1");
  EXPECT_EQ(done.decomposition.outcome, Outcome::iteration_limit);
}

TEST_F(DecomposeJobTest, ALimitOfTimeGivesTheBestSoFar) {
  DecomposeJob limited = job("R");
  limited.method = "rtd-als";
  limited.max_seconds = 1e-3;
  const JobResult done = run(limited);
  EXPECT_EQ(done.decomposition.outcome, Outcome::time_limit);
  EXPECT_EQ(names_in(folder / "R"), result_names);
}

TEST_F(DecomposeJobTest, ARunThatIsCancelledGoesOnToTheSameFiles) {
  for (const bool stored : {false, true}) {
    const auto make = [&](const std::string& output) {
      return stored ? stored_job(output) : job(output);
    };
    const std::string suffix = stored ? "-stored" : "";
    int calls = 0;
    DecomposeJob undisturbed = make("R" + suffix);
    undisturbed.progress = test::count_calls(calls);
    run(undisturbed);
    const std::vector<std::string> before = names_in(folder.path());
    DecomposeJob interrupted = make("Q" + suffix);
    interrupted.checkpoint = folder / ("C" + suffix);
    interrupted.progress = cancel_at(calls / 2);
    const JobResult stopped = run(interrupted);
    EXPECT_EQ(stopped.decomposition.outcome, Outcome::cancelled);
    EXPECT_TRUE(stopped.folder.empty());
    std::vector<std::string> after = before;
    after.push_back("C" + suffix);
    EXPECT_THAT(names_in(folder.path()), ::testing::UnorderedElementsAreArray(after));

    DecomposeJob resumed = make("Q" + suffix);
    resumed.resume = folder / ("C" + suffix);
    EXPECT_EQ(run(resumed).folder, folder / ("Q" + suffix));
    expect_same_files("R" + suffix, "Q" + suffix);
  }
}

TEST_F(DecomposeJobTest, CancellingWhileItWritesLeavesNothingBehind) {
  for (DecomposeJob late : {job("R"), stored_job("R")}) {
    const std::vector<std::string> before = names_in(folder.path());
    late.progress = [](const Progress& progress) {
      return progress.stage == "writing the result" ? Continue::cancel : Continue::yes;
    };
    const JobResult done = run(late);
    EXPECT_EQ(done.decomposition.outcome, Outcome::cancelled);
    EXPECT_TRUE(done.folder.empty());
    EXPECT_EQ(names_in(folder.path()), before);
  }
}

TEST_F(DecomposeJobTest, SeveralProcessesGiveTheFilesOfOne) {
  run(job("one"));
  std::vector<CpModel> models(3);
  test::run_ranks(3, [&](const std::shared_ptr<const Communicator>& processes) {
    DecomposeJob shared = job("three");
    shared.communicator = processes;
    shared.checkpoint = folder / "C";
    const JobResult done = run(shared);
    EXPECT_EQ(done.folder.empty(), processes->rank() != 0);
    models[processes->rank()] = done.decomposition.low_rank;
  });
  EXPECT_EQ(names_in(folder / "three"), result_names);
  expect_same_files("one", "three");
  for (const CpModel& model : models) EXPECT_EQ(model.factors(), models[0].factors());
}

TEST_F(DecomposeJobTest, AFailureOfOneProcessEndsAll) {
  run(job("R"));
  const std::vector<std::string> before = names_in(folder.path());
  test::run_ranks(2, [&](const std::shared_ptr<const Communicator>& processes) {
    DecomposeJob shared = job("R");  // which is there already, as the first process alone finds out
    shared.communicator = processes;
    EXPECT_THROW(run(shared), OutputError);
  });
  EXPECT_EQ(names_in(folder.path()), before);
}

}  // namespace
}  // namespace sunder
