#include "report/html.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace sunder::html {
namespace {

TEST(Escape, LeavesNothingThatMarkupCouldUse) {
  EXPECT_EQ(escape("<a b='c' d=\"e\">&"), "&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;");
  EXPECT_EQ(escape("naïve\n"), "naïve\n");
}

TEST(Escape, ReplacesWhatIsNotText) {
  EXPECT_EQ(escape("a\x01"), "a\xEF\xBF\xBD");
  EXPECT_EQ(escape("a\xFF"), "a\xEF\xBF\xBD");
}

TEST(Number, IsWrittenAsInPrint) {
  EXPECT_EQ(number(0), "0");
  EXPECT_EQ(number(12.345), "12.3");
  EXPECT_EQ(number(-0.5), "−0.5");
  EXPECT_EQ(number(2684.3), "2684");
  EXPECT_EQ(number(999999.9), "10⁶");
  EXPECT_EQ(number(1.234e-8), "1.23×10⁻⁸");
  EXPECT_EQ(number(-1e12), "−10¹²");
  EXPECT_EQ(number(std::numeric_limits<double>::quiet_NaN()), "–");
  EXPECT_EQ(number(-std::numeric_limits<double>::infinity()), "–");
}

TEST(Count, HasGroupsOfThree) {
  EXPECT_EQ(count(0), "0");
  EXPECT_EQ(count(999), "999");
  EXPECT_EQ(count(1234567), "1\u202F234\u202F567");
  EXPECT_EQ(count(-123456), "-123\u202F456");
}

TEST(Percent, TakesShares) { EXPECT_EQ(percent(0.0123), "1.23\u202F%"); }

TEST(Extents, AreJoined) { EXPECT_EQ(extents({1000, 2}), "1\u202F000 × 2"); }

}  // namespace
}  // namespace sunder::html
