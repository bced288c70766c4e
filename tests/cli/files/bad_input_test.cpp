// Whatever is wrong with a command line or a file: one clear line, an exit code, nothing left
// behind.

#if SUNDER_WITH_MATIO
#include <matio.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>

#include "cli/command_fixture.hpp"
#include "io/npy/npy_header.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/io/npy.hpp"

namespace sunder {
namespace {

using namespace testing;

constexpr int usage = 2;

class BadInput : public ::testing::Test {
 protected:
  /// The command refuses, says so in one line that holds every one of `words`, writes nothing.
  void expect_refusal(int code, const Arguments& arguments, const Arguments& words) {
    const std::vector<std::string> before = names_in(folder.path());
    const CommandRun run = run_command(arguments, folder.path());
    const std::string what = ::testing::PrintToString(arguments);
    EXPECT_EQ(run.code, code) << what << "\n" << run.err;
    EXPECT_EQ(run.out, "") << what;
    EXPECT_THAT(run.err, StartsWith("sunder: ")) << what;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << what << "\n" << run.err;
    EXPECT_TRUE(run.err.ends_with('\n')) << what;
    for (const std::string& word : words) EXPECT_THAT(run.err, HasSubstr(word)) << what;
    EXPECT_EQ(names_in(folder.path()), before) << what;
  }
  void refuses_tensor(const std::string& file, const Arguments& words) {
    expect_refusal(bad_input, {"decompose", file, "--rank", "1", "-o", "out"}, words);
  }
  void refuses_option(int code, const Arguments& options, const Arguments& words) {
    Arguments arguments = {"decompose", "good.npy", "-o", "out"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    expect_refusal(code, arguments, words);
  }
  void refuses_to_generate(int code, const Arguments& options, const Arguments& words) {
    Arguments arguments = {"generate", "-o", "out"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    expect_refusal(code, arguments, words);
  }

  /// T = L, of rank one and positive.
  DenseTensor good_tensor() const {
    DenseTensor tensor({4, 5, 6});
    for (Index p = 0; p < tensor.entries(); ++p) {
      const ModeIndices i = tensor.shape().unravel(p);
      tensor.typed<double>()[p] = static_cast<double>((i[0] + 1) * (i[1] + 2) * (i[2] + 3));
    }
    return tensor;
  }
  void write_good() { write_npy(folder / "good.npy", good_tensor().view()); }
  void write_filled(const std::string& name, const Shape& shape, double value) {
    DenseTensor tensor(shape);
    std::ranges::fill(tensor.typed<double>(), value);
    write_npy(folder / name, tensor.view());
  }

  const TemporaryFolder folder;
};

TEST_F(BadInput, FilesThatAreNoTensor) {
  fs::create_directory(folder / "folder.npy");
  write_bytes(folder / "empty.npy", "");
  write_bytes(folder / "text.npy", "1 2 3\n");
  refuses_tensor("absent.npy", {"absent.npy", "no such file"});
  refuses_tensor("", {"no such file"});
  refuses_tensor("folder.npy", {"folder.npy", "is a folder"});
  refuses_tensor("empty.npy", {"empty.npy", "empty"});
  refuses_tensor("text.npy", {"text.npy", "none of the formats"});
}

TEST_F(BadInput, NpyFilesThatAreCutOff) {
  write_good();
  const std::string bytes = testing::read_bytes(folder / "good.npy");
  write_bytes(folder / "entries.npy", bytes.substr(0, bytes.size() - 1));
  write_bytes(folder / "header.npy", bytes.substr(0, 40));
  write_bytes(folder / "magic.npy", bytes.substr(0, 7));
  refuses_tensor("entries.npy", {"entries.npy", "960", "959", "cut off"});
  refuses_tensor("header.npy", {"header.npy", "header", "cut off"});
  refuses_tensor("magic.npy", {"magic.npy", "cut off"});
}

TEST_F(BadInput, HeadersThatPromiseTooMuch) {
  const std::string entries(800, '\0');
  write_bytes(folder / "large.npy",
              format_npy_header("<f8", StorageOrder::c, {100000, 100000, 100000}) + entries);
  refuses_tensor("large.npy", {"large.npy", "100000 x 100000 x 100000", "800"});
  std::string header = format_npy_header("<f8", StorageOrder::c, {536870912, 536870912});
  header.replace(header.find("536870912, 536870912"), 20, "999999999, 999999999");  // above 2^59
  write_bytes(folder / "overflow.npy", header + entries);
  refuses_tensor("overflow.npy", {"overflow.npy", "more entries than can be addressed"});
}

TEST_F(BadInput, TypesThatAreNoRealNumbers) {
  const std::string entries(4096, '\0');
  write_bytes(folder / "object.npy", format_npy_header("|O", StorageOrder::c, {3, 4, 5}) + entries);
  write_bytes(folder / "complex.npy",
              format_npy_header("<c16", StorageOrder::c, {3, 4, 5}) + entries);
  refuses_tensor("object.npy", {"object.npy", "dtype |O", "objects"});
  refuses_tensor("complex.npy", {"complex.npy", "dtype <c16", "complex"});
}

TEST_F(BadInput, ShapesThatCannotBeDecomposed) {
  write_filled("vector.npy", {7}, 1);
  write_filled("hollow.npy", {3, 0, 4}, 1);
  std::string header = format_npy_header("<f8", StorageOrder::c, {1, 1, 1, 1, 1, 1, 1, 1});
  header.replace(header.find("(1,"), 3, "(1, 1,");  // takes its room from the padding
  header.erase(header.size() - 4, 3);
  write_bytes(folder / "nine.npy", header + std::string(8, '\0'));
  refuses_tensor("vector.npy", {"order 1", "2 to 8"});
  refuses_tensor("nine.npy", {"nine.npy", "order 9", "2 to 8"});
  refuses_tensor("hollow.npy", {"mode 1", "3 x 0 x 4", "empty"});
}

TEST_F(BadInput, InfiniteEntriesAreNamed) {
  for (const double infinite :
       {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}) {
    DenseTensor tensor = good_tensor();
    const Index index[] = {1, 2, 3};
    tensor.typed<double>()[tensor.shape().linear(index)] = infinite;
    write_npy(folder / "infinite.npy", tensor.view());
    refuses_tensor("infinite.npy", {"(1, 2, 3)", "infinite"});
  }
}

TEST_F(BadInput, NothingObserved) {
  write_filled("missing.npy", {4, 5, 6}, std::numeric_limits<double>::quiet_NaN());
  refuses_tensor("missing.npy", {"every entry", "NaN"});
}

#if SUNDER_WITH_MATIO
TEST_F(BadInput, UnknownVariableOfAMatFile) {
  const std::string path = (folder / "two.mat").string();
  mat_t* const file = Mat_CreateVer(path.c_str(), nullptr, MAT_FT_MAT5);
  ASSERT_NE(file, nullptr);
  for (const char* name : {"first", "second"}) {
    std::size_t extents[] = {2, 2};
    double values[] = {1, 2, 3, 4};
    matvar_t* const variable =
        Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, extents, values, 0);
    EXPECT_EQ(Mat_VarWrite(file, variable, MAT_COMPRESSION_NONE), 0);
    Mat_VarFree(variable);
  }
  Mat_Close(file);
  refuses_tensor("two.mat:third", {"two.mat", "third", "first", "second"});
  refuses_tensor("two.mat", {"two.mat", "first", "second"});
}
#endif

TEST_F(BadInput, Ranks) {
  write_good();
  refuses_option(usage, {"--rank", "0"}, {"rank", "at least 1", "0"});
  refuses_option(usage, {"--rank", "-1"}, {"rank", "at least 1", "-1"});
  refuses_option(bad_input, {"--rank", "21"}, {"rank 21", "4 x 5 x 6", "1 to 20"});
  refuses_option(usage, {"--rank", "three"}, {"--rank", "three"});
  refuses_option(usage, {"--rank", "1.5"}, {"--rank", "1.5"});
  refuses_option(usage, {"--rank", "99999999999"}, {"--rank", "99999999999"});
  refuses_option(usage, {}, {"--rank", "required"});
}

TEST_F(BadInput, MethodsAndTheirOptions) {
  write_good();
  refuses_option(usage, {"--rank", "1", "--method", "magic"}, {"method", "'magic'", "rtd-als"});
  refuses_option(usage, {"--rank", "1", "--magic"}, {"no option '--magic'"});
  refuses_option(usage, {"--rank", "1", "spare.npy"}, {"does not take 'spare.npy'"});
  refuses_option(usage, {"--rank", "1", "--method", "rtd-als", "--decay", "fast"},
                 {"--decay", "number", "'fast'"});
  refuses_option(usage, {"--rank", "1", "--method", "rtd-als", "--decay", "2"},
                 {"decay", "between 0 and 1", "2"});
  refuses_option(usage, {"--rank", "1", "--method", "rtd-als", "--decay", "nan"}, {"decay", "nan"});
  refuses_option(usage, {"--rank", "1", "--method", "rtd-als", "--max-iterations", "0"},
                 {"max-iterations", "at least 1"});
  refuses_option(usage, {"--rank", "1", "--method", "rtd-als", "--max-iterations", "1.5"},
                 {"max-iterations", "'1.5'"});
  refuses_option(usage, {"--rank", "1", "--method", "altproj-flat", "--flatten-mode", "3"},
                 {"flatten-mode", "0 to 2", "3"});
  refuses_option(usage, {"--rank", "1", "--method", "altproj-slice", "--slice-modes", "0,3"},
                 {"slice-modes", "0 to 2", "3"});
  refuses_option(usage, {"--rank", "1", "--method", "altproj-slice", "--slice-modes", "0"},
                 {"slice-modes", "two modes", "'0'"});
  refuses_option(usage, {"--rank", "1", "--method", "pcp-flat", "--lambda", "0"},
                 {"lambda", "positive"});
  refuses_option(usage, {"--rank", "1", "--method", "horpca-c", "--reduction", "2"},
                 {"reduction", "at most 1"});
  refuses_option(bad_input, {"--rank", "5", "--method", "altproj-flat"}, {"rank 5", "1 to 4"});
  refuses_option(usage, {"--rank", "1", "--method", "accaltproj-flat", "--trim"}, {"trim", "--mu"});
  refuses_option(usage, {"--rank", "1", "--method", "ircur-flat", "--gamma", "1"},
                 {"gamma", "between 0 and 1", "1"});
  refuses_option(usage, {"--rank", "1", "--method", "shah", "--contract-mode", "3"},
                 {"contract-mode", "0 to 2", "3"});
  refuses_option(bad_input, {"--rank", "5", "--method", "shah"}, {"rank 5", "4", "mode 2"});
  refuses_option(usage, {"--rank", "1", "--threads", "-1"}, {"--threads", "-1"});
  refuses_option(usage, {"--rank", "1", "--threads", "100000"}, {"--threads", "0 to 1024"});
  refuses_option(usage, {"--rank", "1", "--seed", "-1"}, {"--seed", "-1"});
  refuses_option(usage, {"--rank", "1", "--seed", "18446744073709551616"}, {"--seed", "2^64 - 1"});
}

TEST_F(BadInput, AMisspeltOptionIsNamed) {
  write_good();
  refuses_option(usage, {"--rnk", "3"}, {"no option '--rnk'", "did you mean '--rank'?"});
  refuses_option(usage, {"--rank", "1", "--thread=2"}, {"'--thread'", "'--threads'"});
  refuses_option(usage, {"--rank", "1", "--nonsense"}, {"no option '--nonsense'", "--help"});
  expect_refusal(usage, {"decompsoe", "good.npy"}, {"'decompsoe'", "did you mean 'decompose'?"});
}

TEST_F(BadInput, AFullDiskBehindStandardOutput) {
  write_good();
  const std::string command = "'" SUNDER_COMMAND "' info good.npy >/dev/full 2>err.txt";
  const int status = std::system(("cd '" + folder.path().string() + "' && " + command).c_str());
  EXPECT_EQ(WEXITSTATUS(status), 1);
  std::ifstream file(folder / "err.txt");
  std::string line;
  std::getline(file, line);
  EXPECT_THAT(line, HasSubstr("could not be written to standard output"));
}

TEST_F(BadInput, GroupsOfModes) {
  write_good();
  refuses_option(bad_input, {"--rank", "1", "--group", "0,3"}, {"group", "0,3", "0 to 2"});
  refuses_option(bad_input, {"--rank", "1", "--group", "0,2"}, {"group", "0,2", "together"});
  refuses_option(usage, {"--rank", "1", "--group", "rows"}, {"--group", "rows"});
}

TEST_F(BadInput, Commands) {
  expect_refusal(usage, {}, {"command", "--help"});
  expect_refusal(usage, {"dissolve"}, {"no command 'dissolve'", "generate", "decompose", "info"});
  expect_refusal(usage, {"--dissolve"}, {"--dissolve"});
  expect_refusal(usage, {"decompose"}, {"required"});
  expect_refusal(usage, {"generate"}, {"--output", "required"});
  expect_refusal(bad_input, {"info", "absent.npy"}, {"absent.npy", "no such file"});
}

/// Root may write into any folder; a folder that is locked for everybody is refused to root too.
TEST_F(BadInput, ReadOnlyPlaces) {
  write_good();
  fs::create_directory(folder / "locked");
  fs::permissions(folder / "locked", static_cast<fs::perms>(0555));
  for (const std::string place : {"locked", "locked/new"}) {
    expect_refusal(bad_input, {"decompose", "good.npy", "--rank", "1", "-o", place},
                   {place, "read-only"});
    expect_refusal(bad_input, {"generate", "--shape", "4,4", "-o", place}, {place, "read-only"});
  }
  EXPECT_TRUE(fs::is_empty(folder / "locked"));
  fs::permissions(folder / "locked", fs::perms::owner_all);
}

TEST_F(BadInput, OutputsThatAreNoFolder) {
  write_good();
  const std::string before = testing::read_bytes(folder / "good.npy");
  for (const std::string place : {"good.npy", "good.npy/below"}) {
    expect_refusal(bad_input, {"decompose", "good.npy", "--rank", "1", "-o", place, "--force"},
                   {"good.npy", place == "good.npy" ? "a file" : "not a folder"});
  }
  EXPECT_EQ(testing::read_bytes(folder / "good.npy"), before);
}

/// As from -o "$FOLDER" with a variable that is not set: hours of work must not go nowhere.
TEST_F(BadInput, OutputsWithoutAName) {
  write_good();
  expect_refusal(usage, {"decompose", "good.npy", "--rank", "1", "-o", ""}, {"--output", "empty"});
  expect_refusal(usage, {"generate", "--shape", "4,4", "-o", ""}, {"--output", "empty"});
}

TEST_F(BadInput, AResultIsReplacedOnlyByForce) {
  write_good();
  fs::create_directory(folder / "result");
  write_bytes(folder / "result/summary.json", "{}");
  write_bytes(folder / "result/factors_3.npy", "stale");
  write_bytes(folder / "result/notes.txt", "mine");
  Arguments arguments = {"decompose", "good.npy",         "--rank", "1",        "-o",     "result",
                         "-q",        "--max-iterations", "2",      "--method", "rtd-als"};
  expect_refusal(bad_input, arguments, {"result", "factors_3.npy", "summary.json", "force"});
  EXPECT_EQ(testing::read_bytes(folder / "result/summary.json"), "{}");
  EXPECT_EQ(testing::read_bytes(folder / "result/factors_3.npy"), "stale");

  arguments.emplace_back("--force");
  const CommandRun run = run_command(arguments, folder.path());
  EXPECT_THAT(run.code, ::testing::AnyOf(0, 4)) << run.err;
  EXPECT_EQ(
      names_in(folder / "result"),
      (Arguments{"factors_0.npy", "factors_1.npy", "factors_2.npy", "notes.txt", "report.html",
                 "sparse_coords.npy", "sparse_values.npy", "summary.json", "weights.npy"}));
  EXPECT_EQ(testing::read_bytes(folder / "result/notes.txt"), "mine");
  EXPECT_EQ(names_in(folder.path()), (Arguments{"good.npy", "result"}));
}

TEST_F(BadInput, TruthsThatDoNotFit) {
  write_good();
  fs::create_directory(folder / "hollow");
  ASSERT_EQ(run_command({"generate", "--shape", "4,5,7", "-o", "other", "-q"}, folder.path()).code,
            0);
  refuses_option(bad_input, {"--rank", "1", "--truth", "absent"}, {"absent", "folder"});
  refuses_option(bad_input, {"--rank", "1", "--truth", "hollow"}, {"hollow/weights.npy"});
  refuses_option(bad_input, {"--rank", "1", "--truth", "other/truth"},
                 {"other/truth", "4 x 5 x 7", "4 x 5 x 6"});
}

TEST_F(BadInput, GenerateNumbers) {
  refuses_to_generate(usage, {"--density", "2"}, {"--density", "2", "0 to 1"});
  refuses_to_generate(usage, {"--density", "-0.1"}, {"density", "-0.1", "0 to 1"});
  refuses_to_generate(usage, {"--density", "nan"}, {"density", "nan", "0 to 1"});
  refuses_to_generate(usage, {"--density", "dense"}, {"--density", "dense"});
  refuses_to_generate(usage, {"--missing", "2"}, {"missing", "2"});
  refuses_to_generate(usage, {"--zero-rows", "2"}, {"--zero-rows", "2"});
  refuses_to_generate(usage, {"--noise", "-1"}, {"noise", "-1"});
  refuses_to_generate(usage, {"--magnitude", "0"}, {"magnitude", "0"});
  refuses_to_generate(usage, {"--rank", "0"}, {"--rank", "0"});
  refuses_to_generate(usage, {"--change-at", "-1"}, {"--change-at", "-1", "0 to"});
  refuses_to_generate(usage, {"--support", "block", "--blocks", "0"}, {"blocks", "0"});
  refuses_to_generate(usage, {"--support", "stripes"}, {"--support", "stripes", "block"});
  refuses_to_generate(usage, {"--dtype", "f16"}, {"--dtype", "f16", "f32"});
  refuses_to_generate(usage, {"--model", "song"}, {"--model", "song", "scene"});
  refuses_to_generate(usage, {"--seed", "-1"}, {"--seed", "-1"});
  refuses_to_generate(usage, {"--model", "scene", "--objects", "-1"}, {"--objects", "-1"});
  refuses_to_generate(usage, {"--model", "bayesnet", "--edge-density", "2"}, {"--edge-density"});
}

#if SUNDER_WITH_LEARN
TEST_F(BadInput, GenerateLatentVariables) {
  refuses_to_generate(usage, {"--model", "topics", "--rank", "0"}, {"--rank", "at least 1"});
  refuses_to_generate(usage, {"--model", "topics", "--corrupt-words", "2"}, {"--corrupt-words"});
  refuses_to_generate(usage, {"--model", "mixture", "--dimension", "0"}, {"--dimension"});
  refuses_to_generate(usage, {"--model", "mixture", "--corrupt-variables", "2"},
                      {"--corrupt-variables", "0 to 1"});
}
#endif

TEST_F(BadInput, GenerateShapes) {
  refuses_to_generate(usage, {"--shape", "4,four,4"}, {"--shape", "4,four,4"});
  refuses_to_generate(usage, {"--shape", ""}, {"shape"});
  refuses_to_generate(usage, {"--shape", "4,,4"}, {"--shape", "4,,4"});
  refuses_to_generate(usage, {"--shape", "4,0,4"}, {"shape", "4 x 0 x 4", "at least 1"});
  refuses_to_generate(usage, {"--shape", "4"}, {"shape", "2 to 8"});
  refuses_to_generate(bad_input, {"--shape", "-3,4"}, {"negative", "-3"});
  refuses_to_generate(bad_input, {"--shape", "1,1,1,1,1,1,1,1,1"}, {"order 9", "2 to 8"});
  refuses_to_generate(bad_input, {"--shape", "9000000000,9000000000"}, {"9000000000"});
  refuses_to_generate(usage, {"--symmetric", "--shape", "4,5,6"}, {"symmetric", "4 x 5 x 6"});
  refuses_to_generate(usage, {"--factors", "orthonormal", "--rank", "5", "--shape", "9,4,9"},
                      {"orthonormal", "length 4"});
  refuses_to_generate(usage, {"--model", "scene", "--shape", "4,4"}, {"height x width x frames"});
}

TEST_F(BadInput, AGeneratedTensorIsReplacedOnlyByForce) {
  const Arguments first = {"generate", "--shape", "4,5,6", "-o", "made", "-q"};
  ASSERT_EQ(run_command(first, folder.path()).code, 0);
  const std::string before = testing::read_bytes(folder / "made/T.npy");
  expect_refusal(bad_input, {"generate", "--shape", "4,5", "-o", "made"},
                 {"made", "T.npy", "truth", "force"});
  EXPECT_EQ(testing::read_bytes(folder / "made/T.npy"), before);

  write_bytes(folder / "made/notes.txt", "mine");
  ASSERT_EQ(
      run_command({"generate", "--shape", "4,5", "-o", "made", "-q", "--force"}, folder.path())
          .code,
      0);
  EXPECT_NE(testing::read_bytes(folder / "made/T.npy"), before);
  EXPECT_FALSE(fs::exists(folder / "made/truth/factors_2.npy"));
  EXPECT_EQ(testing::read_bytes(folder / "made/notes.txt"), "mine");
}

}  // namespace
}  // namespace sunder
