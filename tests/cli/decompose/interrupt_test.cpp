// Ctrl-C and kill: the command ends soon, with its own exit code, and leaves nothing behind.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/run_command.hpp"
#include "io/temporary_folder.hpp"

namespace sunder {
namespace {

using namespace std::chrono_literals;
using namespace testing;

class Interrupt : public ::testing::TestWithParam<int> {
 protected:
  /// Work has begun once the hidden folder for the result is there.
  bool begins(RunningCommand& command) {
    const auto hidden = [](const std::string& name) { return name.starts_with(".out."); };
    while (command.running()) {
      if (std::ranges::any_of(names_in(folder.path()), hidden)) return true;
      std::this_thread::sleep_for(5ms);
    }
    return false;
  }
  void expect_clean_end(const Arguments& arguments) {
    const std::vector<std::string> before = names_in(folder.path());
    // Two threads: on a large machine the work would be done before the signal comes.
    RunningCommand command(arguments, folder.path(), {"OMP_NUM_THREADS=2"});
    ASSERT_TRUE(begins(command)) << command.wait(0s).err;
    std::this_thread::sleep_for(500ms);
    ASSERT_TRUE(command.running()) << "ended before it could be interrupted";
    command.send(GetParam());
    const CommandRun run = command.wait(5s);
    EXPECT_EQ(run.code, 130) << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(run.err, "sunder: interrupted; nothing was written\n");
    EXPECT_EQ(names_in(folder.path()), before);
  }

  const TemporaryFolder folder;
};

TEST_P(Interrupt, Decompose) {
  ASSERT_EQ(run_command({"generate", "--shape", "120,120,120", "--rank", "10", "-o", "D", "-q"},
                        folder.path())
                .code,
            0);
  expect_clean_end({"decompose", "D/T.npy", "--rank", "10", "--method", "rtd-als", "--tolerance",
                    "1e-300", "--noise-floor", "0", "--max-iterations", "1000000", "-o", "out"});
}

TEST_P(Interrupt, DecomposeByTheDefaultMethod) {
  // Noise and a rank that is too large: one core after another is tried.
  ASSERT_EQ(run_command({"generate", "--shape", "120,120,120", "--rank", "10", "--noise", "1", "-o",
                         "D", "-q"},
                        folder.path())
                .code,
            0);
  expect_clean_end({"decompose", "D/T.npy", "--rank", "25", "-o", "out"});
}

TEST_P(Interrupt, DecomposeIntoAnOlderResult) {
  ASSERT_EQ(run_command({"generate", "--shape", "120,120,120", "--rank", "10", "-o", "D", "-q"},
                        folder.path())
                .code,
            0);
  std::filesystem::create_directory(folder / "out");
  testing::write_bytes(folder / "out/summary.json", "{}");
  expect_clean_end({"decompose", "D/T.npy", "--rank", "10", "--method", "rtd-als",
                    "--max-iterations", "1000000", "--tolerance", "1e-300", "--noise-floor", "0",
                    "-o", "out", "--force"});
  EXPECT_EQ(testing::read_bytes(folder / "out/summary.json"), "{}");
}

TEST_P(Interrupt, Generate) {
  expect_clean_end({"generate", "--shape", "400,400,400", "--dtype", "f32", "--noise", "0.1",
                    "--density", "0.001", "-o", "out"});
}

INSTANTIATE_TEST_SUITE_P(Signals, Interrupt, ::testing::Values(SIGINT, SIGTERM),
                         [](const auto& signal) {
                           return signal.param == SIGINT ? "SIGINT" : "SIGTERM";
                         });

}  // namespace
}  // namespace sunder
