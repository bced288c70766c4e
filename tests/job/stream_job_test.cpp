#include "sunder/job/stream_job.hpp"

#include "job/job_problem.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

class StreamJobTest : public ::testing::Test {
 protected:
  StreamJobTest() {
    PlantedOptions options;
    options.shape = Shape{24, 20, 40};
    options.rank = 3;
    options.density = 0.2;
    options.change_at = 25;
    options.seed = 5;
    write_npy(folder / "T.npy", generate_planted(options).tensor.view());
    job.input = (folder / "T.npy").string();
    job.options.rank = 3;
    job.options.threads = 1;
    job.output = folder / "R";
  }

  const test::TemporaryFolder folder;
  StreamJob job;
};

TEST_F(StreamJobTest, WritesAFolderAndTellsWhatChanged) {
  const StreamJobResult done = run(job);
  EXPECT_EQ(done.slices, 40);
  ASSERT_EQ(done.changes.size(), 1U);
  EXPECT_EQ(done.changes[0].changed_at, 25);
  ASSERT_TRUE(done.residuals);
  EXPECT_FALSE(done.errors);
  EXPECT_EQ(done.folder, job.output);
  EXPECT_EQ(test::names_in(done.folder), test::result_names);
  EXPECT_EQ(test::read_bytes(done.folder / "summary.json"), done.summary);
}

TEST_F(StreamJobTest, CancellingLeavesNothingBehind) {
  job.state = folder / "S";
  for (const int call : {1, 20, 41, 42}) {  // while it reads, and before and while it writes
    job.progress = test::cancel_at(call);
    EXPECT_THROW(run(job), Cancelled) << call;
    EXPECT_EQ(test::names_in(folder.path()), std::vector<std::string>{"T.npy"}) << call;
  }
}

}  // namespace
}  // namespace sunder
