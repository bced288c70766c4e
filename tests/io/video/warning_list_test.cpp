#include "io/video/warning_list.hpp"

#include <gtest/gtest.h>

namespace sunder {
namespace {

TEST(WarningList, NothingTwiceAndNotWithoutEnd) {
  WarningList list;
  list.add("a");
  list.add("b");
  list.add("a");
  EXPECT_EQ(list.sentences(), (std::vector<std::string>{"a", "b"}));
  for (int k = 0; k < 1000; ++k) list.add(std::to_string(k));
  EXPECT_EQ(list.sentences().size(), 21U);
  EXPECT_EQ(list.sentences().back(), "and 982 more warnings");
}

}  // namespace
}  // namespace sunder
