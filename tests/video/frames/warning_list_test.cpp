#include "video/frames/warning_list.hpp"

#include <gtest/gtest.h>

#include "video/frames/frame_range.hpp"

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

TEST(FrameRange, CountsWhatItTakes) {
  for (const Index first : {0, 3}) {
    for (const Index last : {-1, 4, 10, 100}) {
      for (const Index stride : {1, 2, 7}) {
        FrameOptions options;
        options.first = first;
        options.last = last;
        options.stride = stride;
        const FrameRange range(options);
        for (const Index frames : {0, 1, 4, 12}) {
          Index taken = 0;
          for (Index k = 0; k < frames; ++k) taken += range.takes(k) ? 1 : 0;
          EXPECT_EQ(range.count(frames), taken);
        }
      }
    }
  }
}

}  // namespace
}  // namespace sunder
