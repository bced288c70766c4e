// Reads that fail, and memory that runs out: one sentence, an exit code, no partial result.

#include <algorithm>
#include <csignal>
#include <thread>

#include "cli/command_fixture.hpp"

namespace sunder {
namespace {

using namespace testing;

class Faults : public CommandTest {
 protected:
  void generate_shape(const std::string& shape) {
    generate({"--shape", shape, "--rank", "2", "--dtype", "f32", "--seed", "4"});
  }
  CommandRun with_faulty_reads(const std::string& how, const Arguments& arguments) {
    return run(arguments, {std::string("LD_PRELOAD=") + SUNDER_FAULTS, "FAULTY_FILE=T.npy",
                           "FAULTY_READS=" + how});
  }
  void expect_one_sentence(const CommandRun& run) {
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    EXPECT_THAT(run.err, ::testing::StartsWith("sunder: "));
  }

  /// Just too little memory for the whole tensor of these tests: it is read, not mapped.
  const Arguments in_parts = {"decompose", "D/T.npy",   "--rank", "2",  "--memory",
                              "191M",      "--threads", "1",      "-q", "-o"};
};

Arguments to(Arguments arguments, const std::string& folder) {
  arguments.push_back(folder);
  return arguments;
}

TEST_F(Faults, ShortReadsChangeNothing) {
  generate_shape("160,150,140");
  ASSERT_EQ(run_command(to(in_parts, "whole"), folder.path()).code, 0);
  const CommandRun run = with_faulty_reads("short", to(in_parts, "short"));
  ASSERT_EQ(run.code, 0) << run.err;
  for (const char* const name : {"weights.npy", "factors_0.npy", "factors_1.npy", "factors_2.npy",
                                 "sparse_coords.npy", "sparse_values.npy"}) {
    EXPECT_TRUE(read_bytes(folder / "whole" / name) == read_bytes(folder / "short" / name)) << name;
  }
}

TEST_F(Faults, AnErrorOfTheDiskIsToldInOneSentence) {
  generate_shape("160,150,140");
  const std::vector<std::string> before = names_in(folder.path());
  for (const char* const how : {"error 1", "error 4", "error 2000"}) {  // samples, then the passes
    const CommandRun run = with_faulty_reads(how, to(in_parts, "out"));
    EXPECT_EQ(run.code, 3) << how;
    expect_one_sentence(run);
    EXPECT_THAT(run.err, ::testing::HasSubstr("T.npy")) << how;
    EXPECT_EQ(names_in(folder.path()), before) << how;
  }
}

TEST_F(Faults, AFileThatIsCutOffWhileItIsMappedIsToldInOneSentence) {
  generate_shape("40,30,20");
  const CommandRun run =
      with_faulty_reads("cut", {"decompose", "D/T.npy", "--rank", "2", "-q", "-o", "out"});
  EXPECT_EQ(run.code, 3);
  expect_one_sentence(run);
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

// Wherever memory is refused, also in a loop of several threads, the program ends in good order, or
// does without.
TEST_F(Faults, MemoryThatIsRefusedIsToldInOneSentence) {
  generate_shape("30,28,26");
  for (const char* const method : {"robust-cp", "rtd-als"}) {
    int failures = 0;
    for (long piece = 1; piece < 4000; piece += 1 + piece / 3) {
      const std::vector<std::string> before = names_in(folder.path());
      const CommandRun run =
          run_command({"decompose", "D/T.npy", "--rank", "2", "--method", method, "--threads", "2",
                       "-q", "--force", "-o", "out"},
                      folder.path(),
                      {std::string("LD_PRELOAD=") + SUNDER_FAULTS, "FAULTY_FILE=T.npy",
                       "FAULTY_MEMORY=" + std::to_string(piece)});
      if (run.code == 0 || run.code == 4) continue;
      ++failures;
      expect_one_sentence(run);
      // The system's own functions name the reason, where it is their memory.
      EXPECT_THAT(run.err, ::testing::AnyOf(::testing::HasSubstr("--memory"),
                                            ::testing::HasSubstr("Cannot allocate memory")))
          << method << ", " << piece << ": " << run.code;
      EXPECT_EQ(names_in(folder.path()), before) << method << ", " << piece;
    }
    EXPECT_GT(failures, 5) << method;
  }
}

// `ulimit -v`: a method that needs the whole tensor says so before it begins.
TEST_F(Faults, AddressSpaceThatIsTooSmallIsToldInOneSentence) {
  generate_shape("400,400,100");
  const std::vector<std::string> before = names_in(folder.path());
  for (const Arguments& asked : {Arguments{}, Arguments{"--memory", "8G"}}) {
    Arguments arguments = {"decompose", "D/T.npy",   "--rank", "2",  "--method", "rtd-als",
                           "-q",        "--threads", "1",      "-o", "out"};
    arguments.insert(arguments.end(), asked.begin(), asked.end());
    CommandRun run;
    for (rlim_t mebibytes = 128; mebibytes < 1024; mebibytes += 16) {
      run = RunningCommand(arguments, folder.path(), {}, "/dev/null", mebibytes << 20)
                .wait(std::chrono::minutes(1));
      if (run.code != 127) break;  // the libraries of the program fit
    }
    EXPECT_EQ(run.code, 1) << run.err;
    expect_one_sentence(run);
    EXPECT_THAT(run.err, ::testing::HasSubstr("--memory"));
    EXPECT_EQ(names_in(folder.path()), before);
  }
}

/// The superblock is right, and what it points to is not: libhdf5 1.10.8 follows a null pointer.
TEST_F(Faults, AFileThatCrashesALibraryIsToldInOneSentence) {
  const std::string file = SUNDER_SOURCE_DIR "/tests/cli/files/crashes_libhdf5.h5";
  const Arguments decompose = {"decompose", file, "--rank", "2", "-o", "R"};
  for (const Arguments& arguments : {Arguments{"info", file}, decompose}) {
    const CommandRun run = run_command(arguments, folder.path());
    EXPECT_EQ(run.code, 3);
    expect_one_sentence(run);
  }
  EXPECT_TRUE(names_in(folder.path()).empty());
}

/// No library was at work: nothing is blamed on a file.
TEST_F(Faults, ACrashOfOurOwnIsOne) {
  generate_shape("150,150,150");
  RunningCommand command({"decompose", "D/T.npy", "--rank", "25", "-o", "R"}, folder.path());
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  command.send(SIGSEGV);
  const CommandRun run = command.wait(std::chrono::minutes(1));
  EXPECT_TRUE(run.code == -1 || run.code == 1) << run.code;  // 1: a sanitizer reports it
  EXPECT_THAT(run.err, ::testing::Not(::testing::HasSubstr("crashed on a file")));
}

}  // namespace
}  // namespace sunder
