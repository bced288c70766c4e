#include "cli/suggestion.hpp"

#include <gmock/gmock.h>

namespace sunder::cli {
namespace {

using ::testing::Optional;

TEST(Suggestion, DistancesCountEdits) {
  EXPECT_EQ(edit_distance("rank", "rank"), 0u);
  EXPECT_EQ(edit_distance("rnk", "rank"), 1u);
  EXPECT_EQ(edit_distance("rnak", "rank"), 1u);  // neighbours swapped
  EXPECT_EQ(edit_distance("", "rank"), 4u);
  EXPECT_EQ(edit_distance("video", "info"), 3u);
}

TEST(Suggestion, IsTheNearestWordThatIsNearEnough) {
  const std::vector<std::string> known = {"--rank", "--threads", "--truth"};
  EXPECT_THAT(nearest_word("--thread", known), Optional(std::string("--threads")));
  EXPECT_THAT(nearest_word("--rnak", known), Optional(std::string("--rank")));
  EXPECT_EQ(nearest_word("--nonsense", known), std::nullopt);
  EXPECT_EQ(did_you_mean("--trut", known), ": did you mean '--truth'?");
  EXPECT_EQ(did_you_mean("nothing", known), "");
}

}  // namespace
}  // namespace sunder::cli
