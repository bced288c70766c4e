// sunder/sunder.hpp and the program that the guide prints.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>

#include "io/temporary_folder.hpp"
#include "job/job_problem.hpp"
#include "sunder/sunder.hpp"

namespace sunder {
namespace {

namespace fs = std::filesystem;
using testing::read_bytes;

const fs::path root = SUNDER_SOURCE_DIR;

TEST(Umbrella, IncludesEveryPublicHeaderButThoseOfMpi) {
  const std::string text = read_bytes(root / "include/sunder/sunder.hpp");
  for (const auto& entry : fs::recursive_directory_iterator(root / "include/sunder")) {
    const std::string name = fs::relative(entry.path(), root / "include").string();
    if (!entry.is_regular_file() || name == "sunder/sunder.hpp") continue;
    const bool included = text.find("#include \"" + name + "\"\n") != std::string::npos;
    EXPECT_EQ(included, !name.starts_with("sunder/mpi/")) << name;
  }
}

std::string block(const std::string& language, const fs::path& program) {
  return "```" + language + "\n" + read_bytes(program) + "```\n";
}

TEST(OneCall, IsPrintedInTheGuideAndShort) {
  const std::string guide = read_bytes(root / "docs/cpp.md");
  for (const auto& [language, name, most] :
       {std::tuple("cpp", "one_call.cpp", 15), std::tuple("python", "one_call.py", 10)}) {
    const fs::path program = root / "examples" / name;
    EXPECT_NE(guide.find(block(language, program)), std::string::npos) << name;
    const std::string text = read_bytes(program);
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), most) << name;
  }
}

TEST(OneCall, WritesTheFolder) {
  const testing::TemporaryFolder folder;
  PlantedOptions options;
  options.shape = Shape{60, 50, 40};
  options.rank = 5;
  const PlantedTensor planted = generate_planted(options);
  write_npy(folder / "T.npy", planted.tensor.view());
  const std::string command = "cd '" + folder.path().string() +
                              "' && '" SUNDER_ONE_CALL "' T.npy checkpoint result > printed";
  ASSERT_EQ(WEXITSTATUS(std::system(command.c_str())), 0);
  EXPECT_EQ(read_bytes(folder / "printed"), "result: converged, certified exact\n");
  EXPECT_EQ(testing::names_in(folder / "result"), test::result_names);
  EXPECT_TRUE(fs::exists(folder / "checkpoint/checkpoint"));
  const LowRankPlusSparse found = read_low_rank_plus_sparse(folder / "result");
  EXPECT_LT(found.low_rank.distance(planted.low_rank), 1e-8 * planted.low_rank.norm());
}

}  // namespace
}  // namespace sunder
