#include "video/job/activity_log.hpp"

#include <gtest/gtest.h>

namespace sunder {
namespace {

TEST(ThinnedSeries, KeepsEveryValueWhileThereAreFew) {
  ThinnedSeries series(4);
  for (int k = 0; k < 4; ++k) series.add(k);
  EXPECT_EQ(series.stride(), 1);
  EXPECT_EQ(series.values(), (std::vector<double>{0, 1, 2, 3}));
}

TEST(ThinnedSeries, KeepsEverySecondThenEveryFourthValue) {
  ThinnedSeries series(4);
  for (int k = 0; k < 20; ++k) {
    series.add(k);
    EXPECT_LE(series.values().size(), 4U);
    for (std::size_t i = 0; i < series.values().size(); ++i) {
      EXPECT_EQ(series.values()[i], static_cast<double>(i) * static_cast<double>(series.stride()));
    }
  }
  EXPECT_EQ(series.stride(), 8);
}

}  // namespace
}  // namespace sunder
