#include "cli/command_fixture.hpp"
#include "cli/documented_commands.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/io/npy.hpp"
#include "sunder/io/result_folder.hpp"

namespace sunder {
namespace {

using namespace testing;

class LearnBayesNet : public CommandTest {
 protected:
  void SetUp() override {
    const CommandRun made = run({"generate", "--model", "bayesnet", "--variables", "20", "--hidden",
                                 "2", "--networks", "4", "--samples", "2000", "-o", "data", "-q"});
    ASSERT_EQ(made.code, 0) << made.err;
  }
  CommandRun learn(const Arguments& more) {
    return run(joined({"learn", "bayesnet", "--hidden", "2", "--json"}, more));
  }
};

TEST_F(LearnBayesNet, WritesTheNetworkOfItsSamples) {
  const CommandRun done = learn({"data/X1.npy", "data/X2.npy", "data/X3.npy", "data/X4.npy",
                                 "--truth", "data/truth", "-o", "net"});
  ASSERT_EQ(done.code, 0) << done.err;
  const Json summary = Json::parse(done.out);
  EXPECT_LT(summary["truth"]["error_loadings"].get<double>(), 0.1);
  EXPECT_EQ(Json::parse(read_bytes(folder / "net" / "summary.json")), summary);
  const LowRankPlusSparse net = read_low_rank_plus_sparse(folder / "net");
  EXPECT_EQ(net.low_rank.shape(), (Shape{20, 20, 4}));
  EXPECT_EQ(net.low_rank.factor(0), net.low_rank.factor(1));
  for (const char* name : {"report.html", "graph.svg", "graph.graphml"}) {
    EXPECT_TRUE(fs::exists(folder / "net" / name)) << name;
  }
  EXPECT_THAT(read_bytes(folder / "net" / "report.html"), HasSubstr("4 networks of 20 variables"));
}

TEST_F(LearnBayesNet, OneArrayIsTheSameAsAFileForEach) {
  DenseTensor stack(Shape{2000, 20, 4});
  for (Index k = 0; k < 4; ++k) {
    const Matrix X = read_npy_matrix(folder / "data" / ("X" + std::to_string(k + 1) + ".npy"));
    for (Index i = 0; i < 2000; ++i) {
      for (Index j = 0; j < 20; ++j) {
        stack.typed<double>()[(i * 20 + j) * 4 + k] = X(i, j);
      }
    }
  }
  write_npy(folder / "stack.npy", stack.view());
  ASSERT_EQ(learn({"stack.npy", "-o", "one"}).code, 0);
  ASSERT_EQ(
      learn({"data/X1.npy", "data/X2.npy", "data/X3.npy", "data/X4.npy", "-o", "several"}).code, 0);
  for (const char* name : {"factors_0.npy", "factors_2.npy", "weights.npy", "sparse_values.npy"}) {
    EXPECT_EQ(read_bytes(folder / "one" / name), read_bytes(folder / "several" / name)) << name;
  }
}

TEST_F(LearnBayesNet, ExactCovariancesAreCertified) {
  const CommandRun done = learn({"--covariances", "data/covariances.npy", "--truth", "data/truth"});
  ASSERT_EQ(done.code, 0) << done.err;
  const Json summary = Json::parse(done.out);
  EXPECT_EQ(summary["certified"], "exact");
  EXPECT_LT(summary["truth"]["error_loadings"].get<double>(), 1e-8);
}

TEST_F(LearnBayesNet, RefusesWhatItCannotUse) {
  EXPECT_EQ(learn({}).code, 2);
  EXPECT_EQ(learn({"data/X1.npy", "--covariances", "data/covariances.npy"}).code, 2);
  EXPECT_EQ(learn({"data/X1.npy", "--samples", "5"}).code, 2);
  EXPECT_EQ(run({"learn"}).code, 2);
  EXPECT_EQ(run({"learn", "bayesnet", "data/X1.npy"}).code, 2);
  const CommandRun truth = learn({"data/truth/weights.npy"});
  EXPECT_EQ(truth.code, 3);
  EXPECT_THAT(truth.err, HasSubstr("samples x variables"));
}

TEST(LearnBayesNetPage, EveryCommandWorksAsPrinted) {
  const TemporaryFolder folder;
  const auto commands = documented_commands(fs::path(SUNDER_SOURCE_DIR) / "docs/learn_bayesnet.md");
  ASSERT_GE(commands.size(), 4U);
  for (const std::string& command : commands) {
    const CommandRun done = run_command(words_of(command, folder.path()), folder.path());
    EXPECT_EQ(done.code, 0) << command << "\n" << done.err;
  }
}

}  // namespace
}  // namespace sunder
