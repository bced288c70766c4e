#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/run_command.hpp"
#include "io/temporary_folder.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/io/npy.hpp"
#include "sunder/io/result_folder.hpp"
#include "sunder/io/tensor_file.hpp"

namespace sunder {
namespace {

using namespace testing;
using Json = nlohmann::json;

class DecomposeStream : public ::testing::Test {
 protected:
  void generate(const Arguments& options) {
    Arguments arguments = {"generate", "-q", "--shape",   "24,20,40", "--rank", "3",
                           "--seed",   "5",  "--density", "0.2",      "-o",     "D"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const CommandRun run = run_command(arguments, folder.path());
    ASSERT_EQ(run.code, 0) << run.err;
  }
  CommandRun stream(const Arguments& options) {
    Arguments arguments = {"decompose", "--stream", "--rank", "3", "--threads", "1"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run_command(arguments, folder.path());
  }
  Json summary(const Arguments& options) {
    Arguments arguments = options;
    arguments.emplace_back("--json");
    const CommandRun run = stream(arguments);
    EXPECT_EQ(run.code, 0) << run.err;
    return Json::accept(run.out) ? Json::parse(run.out) : Json::object();
  }
  void expect_refused(const Arguments& options, int code, const std::string& part) {
    const CommandRun run = stream(options);
    EXPECT_EQ(run.code, code) << part;
    EXPECT_THAT(run.err, ::testing::HasSubstr(part));
  }

  const TemporaryFolder folder;
};

TEST_F(DecomposeStream, WritesTheResultOfAStreamAtRest) {
  generate({});
  const Json seen = summary({"D/T.npy", "--truth", "D/truth", "-o", "R"});
  EXPECT_EQ(seen["method"], "stream");
  EXPECT_EQ(seen["outcome"], "converged");
  EXPECT_LT(seen["error_low_rank"], 1e-10);
  EXPECT_EQ(seen["support_precision"], 1);
  EXPECT_EQ(seen["support_recall"], 1);
  EXPECT_EQ(seen["stream"]["slices"], 40);
  EXPECT_EQ(seen["stream"]["explained"], 40);
  EXPECT_EQ(seen["stream"]["changes"], Json::array());
  ASSERT_EQ(seen["stream"]["slice_error"].size(), 40U);
  for (const Json& error : seen["stream"]["slice_error"]) EXPECT_LT(error, 1e-10);
  EXPECT_EQ(Json::parse(read_bytes(folder / "R/summary.json")), seen);
  EXPECT_THAT(read_bytes(folder / "R/report.html"), ::testing::HasSubstr("</html>"));

  const LowRankPlusSparse result = read_low_rank_plus_sparse(folder / "R");
  const LoadedTensor tensor = open_tensor((folder / "D/T.npy").string())->load();
  std::size_t next = 0;
  for (Index position = 0; position < tensor.view.entries(); ++position) {
    const ModeIndices index = tensor.view.shape().unravel(position);
    double sum = result.low_rank.entry(index);
    if (next < result.sparse.positions().size() && result.sparse.positions()[next] == position) {
      sum += result.sparse.values()[next++];
    }
    ASSERT_NEAR(sum, tensor.view(index), 1e-10) << position;
  }
  EXPECT_EQ(run_command({"report", "R"}, folder.path()).code, 0);  // a result like any other
}

TEST_F(DecomposeStream, FollowsARotationAndReportsAChange) {
  generate({"--rotate", "0.1", "--change-at", "25"});
  const Json seen = summary({"D/T.npy", "--truth", "D/truth"});
  EXPECT_EQ(seen["stream"]["changes"], Json::parse(R"([{"changed_at": 25, "reported_at": 26}])"));
  for (std::size_t t = 0; t < 40; ++t) {
    if (t >= 25 && t < 31) continue;
    EXPECT_LT(seen["stream"]["slice_error"][t], 1e-3) << t;
  }
  // The latest factors do not reproduce old slices, and that is said.
  EXPECT_GT(seen["error_low_rank"], 0.1);
  const CommandRun run = stream({"D/T.npy", "--truth", "D/truth"});
  EXPECT_THAT(run.out, ::testing::HasSubstr("at slice 25 (reported at 26)"));
}

TEST_F(DecomposeStream, GoesOnFromAStateAndGivesTheSameDecisions) {
  generate({"--rotate", "0.1", "--noise", "0.01"});
  const Json whole = summary({"D/T.npy"})["stream"];
  const LoadedTensor tensor = open_tensor((folder / "D/T.npy").string())->load();
  // The first part ends within the warm-up.
  write_npy(folder / "A.npy", copy_of(tensor.view.slab(2, 0, 6)).view());
  write_npy(folder / "B.npy", copy_of(tensor.view.slab(2, 6, 20)).view());
  write_npy(folder / "C.npy", copy_of(tensor.view.slab(2, 20, 40)).view());
  EXPECT_EQ(stream({"A.npy", "--state", "S"}).code, 4);
  const Json second = summary({"B.npy", "--state", "S"})["stream"];
  EXPECT_EQ(second["first_slice"], 6);
  EXPECT_EQ(second["explained"], 14);
  const Json third = summary({"C.npy", "--state", "S"})["stream"];
  EXPECT_EQ(third["first_slice"], 20);
  for (std::size_t t = 0; t < 20; ++t) {
    EXPECT_EQ(third["slice_residual"][t], whole["slice_residual"][20 + t]) << t;
  }
  EXPECT_EQ(names_in(folder.path()), (Arguments{"A.npy", "B.npy", "C.npy", "D", "S"}));

  expect_refused({"C.npy", "--state", "S", "--seed", "2"}, 3, "seed 1");
  expect_refused({"D/T.npy", "--state", "A.npy"}, 3, "not the state of a stream");
}

TEST_F(DecomposeStream, SameBytesForAnyNumberOfThreads) {
  generate({"--rotate", "0.1", "--noise", "0.01"});
  ASSERT_EQ(stream({"D/T.npy", "-o", "R1"}).code, 0);
  ASSERT_EQ(
      run_command({"decompose", "D/T.npy", "--stream", "--rank", "3", "--threads", "2", "-o", "R2"},
                  folder.path())
          .code,
      0);
  for (const std::string name : {"factors_0.npy", "factors_2.npy", "sparse_values.npy"}) {
    EXPECT_TRUE(read_bytes(folder / "R1" / name) == read_bytes(folder / "R2" / name)) << name;
  }
}

TEST_F(DecomposeStream, RefusesWhatDoesNotGoTogether) {
  generate({});
  expect_refused({"D/T.npy", "--method", "rtd-als"}, 2, "--method");
  expect_refused({"D/T.npy", "--group", "0,1"}, 2, "--group");
  expect_refused({"D/T.npy", "--mu", "3"}, 2, "--mu");
  expect_refused({"D/T.npy", "--forgetting", "2"}, 2, "forgetting");
  expect_refused({"D/T.npy", "--warm-up", "1"}, 2, "warm-up");
  expect_refused({"D/T.npy", "--warm-up", "41"}, 3, "--warm-up");
  for (const Arguments& flag :
       {Arguments{"--still"}, Arguments{"--state", "S"}, Arguments{"--warm-up", "9"}}) {
    Arguments arguments = {"decompose", "D/T.npy", "--rank", "3"};
    arguments.insert(arguments.end(), flag.begin(), flag.end());
    const CommandRun run = run_command(arguments, folder.path());
    EXPECT_EQ(run.code, 2);
    EXPECT_THAT(run.err, ::testing::HasSubstr("add --stream"));
  }
  const CommandRun run =
      run_command({"decompose", "D/T.npy", "--stream", "--rank", "auto"}, folder.path());
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, ::testing::HasSubstr("auto"));
}

}  // namespace
}  // namespace sunder
