#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <thread>

#include "cli/run_command.hpp"
#include "io/temporary_folder.hpp"

namespace sunder {
namespace {

using namespace std::chrono_literals;
using namespace testing;
using ::testing::HasSubstr;

class CheckpointCommand : public ::testing::Test {
 protected:
  void generate(const Arguments& further) {
    Arguments arguments = {"generate", "--rank", "3", "-o", "D", "-q"};
    arguments.insert(arguments.end(), further.begin(), further.end());
    ASSERT_EQ(run_command(arguments, folder.path()).code, 0);
  }
  static Arguments decompose(const Arguments& further) {
    Arguments arguments = {"decompose", "D/T.npy", "--rank", "3", "--checkpoint-interval", "0"};
    arguments.insert(arguments.end(), further.begin(), further.end());
    return arguments;
  }
  void expect_same_result(const std::string& a, const std::string& b) {
    for (const char* name : {"factors_0.npy", "factors_1.npy", "factors_2.npy", "weights.npy",
                             "sparse_coords.npy", "sparse_values.npy"}) {
      EXPECT_TRUE(read_bytes(folder / a / name) == read_bytes(folder / b / name))
          << b << " " << name;
    }
  }

  const TemporaryFolder folder;
};

/// Noise: several cores, extensions and a polishing pass, each a step.
const Arguments noisy = {"--shape", "70,60,50", "--noise", "0.02", "--seed", "3"};

TEST_F(CheckpointCommand, ARunThatIsKilledGoesOnToTheSameBits) {
  generate(noisy);
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(run_command(decompose({"-o", "R"}), folder.path()).code, 0);
  const auto whole = std::chrono::steady_clock::now() - begin;
  for (int k = 0; k < 5; ++k) {
    const std::string output = "R" + std::to_string(k);
    const std::string place = "C" + std::to_string(k);
    RunningCommand command(decompose({"-o", output, "--checkpoint", place}), folder.path());
    std::this_thread::sleep_for(whole * (2 * k + 1) / 10);
    command.send(SIGKILL);
    command.wait(5s);
    if (std::filesystem::exists(folder / output / "summary.json")) continue;  // it was quicker
    const bool begun = std::filesystem::exists(folder / place / "checkpoint") ||
                       std::filesystem::exists(folder / place / "checkpoint.previous");
    const CommandRun run = run_command(
        decompose({"-o", output, begun ? "--resume" : "--checkpoint", place}), folder.path());
    ASSERT_EQ(run.code, 0) << run.err;
    expect_same_result("R", output);
  }
}

TEST_F(CheckpointCommand, CtrlCKeepsOneAndSaysSo) {
  // Rank 25 of a tensor of rank 3 with noise: one core after another.
  generate({"--shape", "120,120,120", "--noise", "1"});
  Arguments arguments = decompose({"-o", "out", "--checkpoint", "C"});
  arguments[3] = "25";
  RunningCommand command(arguments, folder.path(), {"OMP_NUM_THREADS=2"});
  while (command.running() && !std::filesystem::exists(folder / "C/checkpoint")) {
    std::this_thread::sleep_for(5ms);
  }
  std::this_thread::sleep_for(300ms);
  command.send(SIGINT);
  const CommandRun run = command.wait(10s);
  EXPECT_EQ(run.code, 130);
  EXPECT_EQ(run.err, "sunder: interrupted; the checkpoint is kept: go on with --resume C\n");
  EXPECT_EQ(names_in(folder.path()), (std::vector<std::string>{"C", "D"}));
}

TEST_F(CheckpointCommand, AResultCanBeMadeAgainFromItsLastCheckpoint) {
  for (const Arguments& problem :
       {noisy, Arguments{"--shape", "60,50,40", "--density", "0.2", "--force"}}) {
    generate(problem);
    ASSERT_EQ(
        run_command(decompose({"-o", "R", "--force", "--checkpoint", "C"}), folder.path()).code, 0);
    const CommandRun again =
        run_command(decompose({"-o", "A", "--force", "--resume", "C"}), folder.path());
    EXPECT_EQ(again.code, 0) << again.err;
    expect_same_result("R", "A");
  }
}

TEST_F(CheckpointCommand, AnotherRunIsRefused) {
  generate(noisy);
  ASSERT_EQ(run_command(decompose({"-o", "R", "--checkpoint", "C"}), folder.path()).code, 0);
  const auto refuses = [&](const Arguments& further, int code, const std::string& words) {
    Arguments arguments = decompose({"-o", "A"});
    arguments.insert(arguments.end(), further.begin(), further.end());
    const CommandRun run = run_command(arguments, folder.path());
    EXPECT_EQ(run.code, code) << run.err;
    EXPECT_THAT(run.err, HasSubstr(words));
    EXPECT_FALSE(std::filesystem::exists(folder / "A"));
  };
  refuses({"--resume", "C", "--seed", "9"}, 3, "--seed is 1 there, but 9 here");
  refuses({"--resume", "C", "--core", "99"}, 3, "--core is 60 there, but 99 here");
  refuses({"--resume", "nowhere"}, 3, "no checkpoint in nowhere");
  refuses({"--checkpoint", "C"}, 3, "holds a checkpoint already");
  refuses({"--checkpoint", "C", "--resume", "C"}, 2, "give one of them");
  refuses({"--checkpoint", "E", "--method", "pcp-flat"}, 2, "pcp-flat keeps no checkpoints");
  refuses({"--checkpoint", "E", "--stream"}, 2, "--stream");
  std::filesystem::remove_all(folder / "D");
  generate({"--shape", "70,60,50", "--noise", "0.02", "--seed", "4"});
  refuses({"--resume", "C"}, 3, "the fingerprint of the tensor is");
}

TEST_F(CheckpointCommand, PartsAreTheTensor) {
  generate(noisy);
  ASSERT_EQ(run_command({"split", "D/T.npy", "--parts", "3", "-o", "P", "-q"}, folder.path()).code,
            0);
  Arguments arguments = decompose({"-o", "A"});
  ASSERT_EQ(run_command(arguments, folder.path()).code, 0);
  arguments = decompose({"-o", "B"});
  arguments[1] = "P/parts.json";
  const CommandRun run = run_command(arguments, folder.path());
  ASSERT_EQ(run.code, 0) << run.err;
  expect_same_result("A", "B");
}

TEST_F(CheckpointCommand, AMappedFileThatIsCutOffMeanwhile) {
  generate({"--shape", "150,150,150", "--noise", "1"});
  Arguments arguments = decompose({"-o", "out"});
  arguments[3] = "25";
  RunningCommand command(arguments, folder.path(), {"OMP_NUM_THREADS=2"});
  std::this_thread::sleep_for(400ms);
  std::filesystem::resize_file(folder / "D/T.npy", 5000);
  const CommandRun run = command.wait(600s);
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.err, HasSubstr("cut off"));
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

}  // namespace
}  // namespace sunder
