#include "report/figures/svg_figure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <regex>

namespace sunder {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Plot plot_of(std::vector<double> y) {
  Plot plot;
  plot.title = "a <b> & c";
  plot.x = {{.label = "share"}};
  plot.y = {.label = "error", .log = true};
  Curve curve;
  curve.name = "first";
  curve.x = {{}};
  for (std::size_t k = 0; k < y.size(); ++k) curve.x[0].push_back(0.1 * static_cast<double>(k + 1));
  curve.y = std::move(y);
  plot.curves = {curve};
  return plot;
}

/// The points of the first drawn line: "M64.0 334.0L..." after the axes.
std::vector<std::string> commands(const std::string& svg) {
  const std::regex line("stroke-dasharray=\"none\" d=\"([^\"]*)\"");
  std::smatch found;
  EXPECT_TRUE(std::regex_search(svg, found, line));
  const std::string path = found[1];
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t next = path.find_first_of("ML", at + 1);
    parts.push_back(path.substr(at, next - at));
    at = next == std::string::npos ? path.size() : next;
  }
  return parts;
}

TEST(SvgFigure, DrawsEveryPointAndEscapesText) {
  const std::string svg = svg_figure(plot_of({1e-9, 1e-3, 1}));
  EXPECT_THAT(svg, HasSubstr("a &lt;b&gt; &amp; c"));
  EXPECT_THAT(svg, HasSubstr("first"));
  EXPECT_EQ(commands(svg).size(), 3U);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST(SvgFigure, PointsThatCannotBeDrawnInterruptTheLine) {
  const std::vector<std::string> parts =
      commands(svg_figure(plot_of({1e-3, 0, 1e-2, std::numeric_limits<double>::quiet_NaN(), 1})));
  ASSERT_EQ(parts.size(), 3U);
  for (const std::string& part : parts) EXPECT_EQ(part.front(), 'M');
}

TEST(SvgFigure, WhiskersStayInThePicture) {
  Plot plot = plot_of({1e-3, 1e-2});
  plot.curves[0].low = {1e-6, 1e-3};
  plot.curves[0].high = {1e-1, 10};
  const std::string svg = svg_figure(plot);
  const std::regex vertical("M([0-9.]+) ([0-9.]+)V([0-9.]+)");
  int count = 0;
  for (auto at = std::sregex_iterator(svg.begin(), svg.end(), vertical);
       at != std::sregex_iterator(); ++at, ++count) {
    EXPECT_GE(std::stod((*at)[3]), 34);
    EXPECT_LE(std::stod((*at)[2]), 334);
  }
  EXPECT_EQ(count, 2);
}

TEST(SvgFigure, NothingToDraw) { EXPECT_THAT(svg_figure(plot_of({})), HasSubstr("</svg>")); }

}  // namespace
}  // namespace sunder
