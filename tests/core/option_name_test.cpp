#include "sunder/core/option_name.hpp"

#include <gtest/gtest.h>

namespace sunder {
namespace {

std::string with_dashes(std::string_view message) {
  return spell_options(message, [](std::string_view name) { return "--" + std::string(name); });
}

TEST(OptionName, IsSpelledByTheSurface) {
  EXPECT_EQ(option_name("max-iterations"), "`max-iterations`");
  EXPECT_EQ(with_dashes("`max-iterations` must be at least 1"),
            "--max-iterations must be at least 1");
  EXPECT_EQ(with_dashes("give more `memory` or a smaller `rank`"),
            "give more --memory or a smaller --rank");
  EXPECT_EQ(with_dashes("`rank``seed`"), "--rank--seed");
}

TEST(OptionName, LeavesOtherTextAlone) {
  for (const char* message : {"", "nothing here", "as `sunder split` writes it", "a ` alone",
                              "the file `T.npy`", "``", "`Rank`", "`-rank`"}) {
    EXPECT_EQ(with_dashes(message), message);
  }
  EXPECT_EQ(with_dashes("the file `T.npy` and `rank`"), "the file `T.npy` and --rank");
}

TEST(OptionName, TellsWhichOptionAnErrorIsAbout) {
  EXPECT_EQ(option_of("`noise-width` must be a number, unlike `core`"), "noise-width");
  EXPECT_EQ(option_of("there is no method 'magic'"), "");
}

}  // namespace
}  // namespace sunder
