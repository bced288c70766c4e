#include "report/svg.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "report/markup.hpp"

namespace sunder::svg {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

std::string curve(const std::string& picture) {
  const std::string mark = "class=\"line s0\" d=\"";
  const std::size_t begin = picture.find(mark) + mark.size();
  return picture.substr(begin, picture.find('"', begin) - begin);
}

TEST(LinePlot, DescribesAndLabelsItself) {
  const Frame frame{.description = "a < b", .x = {.label = "x & y"}, .y = {.label = "height"}};
  const std::vector<Series> series{{"one", {{0, 1}, {1, 2}}}, {"<two>", {{0, 2}, {1, 1}}}};
  const std::string picture = line_plot(frame, series);
  EXPECT_EQ(testing::markup_fault(picture), "");
  EXPECT_THAT(picture, HasSubstr("role=\"img\" aria-label=\"a &lt; b\""));
  EXPECT_THAT(picture, HasSubstr("x &amp; y"));
  EXPECT_THAT(picture, HasSubstr("height"));
  EXPECT_THAT(picture, HasSubstr("&lt;two&gt;"));
}

TEST(LinePlot, GapsInterruptTheLine) {
  const std::vector<Series> series{{"", {{0, 1}, {1, 2}, {2, not_a_number}, {3, 1}, {4, 3}}}};
  const std::string path = curve(line_plot({}, series));
  EXPECT_EQ(occurrences(path, "M"), 2u);
  EXPECT_EQ(occurrences(path, "L"), 2u);
}

TEST(LinePlot, ShortCurvesShowTheirPoints) {
  const std::vector<Series> single{{"", {{3, 7}}}};
  EXPECT_EQ(occurrences(line_plot({}, single), "dots"), 1u);
  const std::vector<Series> many{{"", std::vector<Point>(41)}};
  EXPECT_EQ(occurrences(line_plot({}, many), "dots"), 0u);
}

TEST(LinePlot, LogAxisLeavesOutWhatIsNotPositive) {
  Frame frame;
  frame.y.scale = Scale::log;
  const std::vector<Series> series{{"", {{0, 1}, {1, 0}, {2, 0.01}, {3, -5}, {4, 1e-4}}}};
  const std::string picture = line_plot(frame, series);
  EXPECT_EQ(occurrences(curve(picture), "M"), 3u);
  EXPECT_THAT(picture, Not(HasSubstr("inf")));
}

TEST(LinePlot, SaysSoWhenThereIsNothing) {
  EXPECT_THAT(line_plot({}, {}), HasSubstr("nothing to show"));
  const std::vector<Series> series{{"", {{0, not_a_number}}}};
  EXPECT_THAT(line_plot({}, series), HasSubstr("nothing to show"));
}

TEST(BarPlot, DrawsOneBarForEachHeight) {
  const std::string picture = bar_plot({}, {{0, 1, 2, 3, 4}, {1, 0, -2, not_a_number}});
  EXPECT_EQ(testing::markup_fault(picture), "");
  EXPECT_EQ(occurrences(picture, "Z"), 2u);
  EXPECT_THAT(bar_plot({}, {}), HasSubstr("nothing to show"));
  EXPECT_EQ(testing::markup_fault(bar_plot({}, {{0, 1}, {0}})), "");
}

TEST(HeatMap, LeavesOutEmptyCells) {
  const std::string picture = heat_map({}, {{0, 1, 2}, {0, 1, 2}, {0, 1, 2, 0}}, "%");
  EXPECT_EQ(testing::markup_fault(picture), "");
  EXPECT_EQ(occurrences(picture, "class=\"cell\""), 2u + 5u);  // and five in the key
  EXPECT_THAT(picture, HasSubstr("2 %"));
  EXPECT_EQ(occurrences(heat_map({}, {{0, 1}, {0, 1}, {0}}, ""), "class=\"cell\""), 0u);
}

TEST(HeatMap, RowsRunDownwards) {
  const std::string picture = heat_map({}, {{0, 1}, {0, 1, 2}, {1, 0}}, "");
  const std::string other = heat_map({}, {{0, 1}, {0, 1, 2}, {0, 1}}, "");
  const auto top = [](const std::string& text) {
    const std::size_t at = text.find("y=\"", text.find("class=\"cell\""));
    return std::stod(text.substr(at + 3));
  };
  EXPECT_LT(top(picture), top(other));
}

}  // namespace
}  // namespace sunder::svg
