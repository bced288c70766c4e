#include "sunder/core/progress.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sunder {
namespace {

TEST(Progress, ReportsStageAndFraction) {
  std::string stage;
  double fraction = 0;
  report_or_throw(
      [&](const Progress& progress) {
        stage = progress.stage;
        fraction = progress.fraction;
        return Continue::yes;
      },
      "planting", 0.25);
  EXPECT_EQ(stage, "planting");
  EXPECT_EQ(fraction, 0.25);
}

TEST(Progress, ThrowsWhenTheCallbackCancels) {
  EXPECT_THROW(report_or_throw([](const Progress&) { return Continue::cancel; }, "planting"),
               Cancelled);
}

TEST(Progress, NeedsNoCallback) { EXPECT_NO_THROW(report_or_throw({}, "planting")); }

}  // namespace
}  // namespace sunder
