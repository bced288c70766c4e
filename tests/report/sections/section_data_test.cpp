#include "report/sections/section_data.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "report/sample_run.hpp"

namespace sunder {
namespace {

using testing::not_a_number;

TEST(CurvesJson, WhatIsNoNumberIsNull) {
  Plot plot;
  plot.curves = {{.name = "a", .x = {{1, 2}}, .y = {not_a_number, 1.0 / 3}, .low = {}, .high = {}}};
  plot.marks = {{std::numeric_limits<double>::infinity(), "far"}};
  const PageJson document = to_page_json(CurvesData{{}, {plot}})["plots"][0];
  EXPECT_TRUE(document["curves"][0]["y"][0].is_null());
  EXPECT_EQ(document["curves"][0]["y"][1].dump(), "0.333333");
  EXPECT_TRUE(document["marks"][0]["x"].is_null());
  EXPECT_FALSE(document["curves"][0].contains("low"));
  EXPECT_EQ(document["spread"], "band");
}

TEST(CurvesJson, SpreadAndChoicesAreSaid) {
  Plot plot;
  plot.spread = Spread::whiskers;
  plot.curves = {{.name = "a", .x = {}, .y = {2}, .low = {1}, .high = {3}}};
  const PageJson document = to_page_json(CurvesData{{{"mode", {"0"}, true}}, {plot}});
  EXPECT_EQ(document["plots"][0]["spread"], "whiskers");
  EXPECT_EQ(document["plots"][0]["curves"][0]["low"], PageJson({1.0}));
  EXPECT_EQ(document["plots"][0]["curves"][0]["high"], PageJson({3.0}));
  EXPECT_EQ(document["choices"][0]["side_by_side"], true);
}

TEST(TableJson, NumbersStayNumbersAndKeepTheirDigits) {
  const PageJson document =
      to_page_json(TableData{{"a", "b"}, {{"x", 1.0 / 3}, {"12", not_a_number}}});
  EXPECT_EQ(document["rows"][0][1].get<double>(), 1.0 / 3);
  EXPECT_EQ(document["rows"][1][0], "12");
  EXPECT_TRUE(document["rows"][1][1].is_null());
}

PageJson stack_json(ImageStack stack) {
  ImageView view;
  view.stacks = {std::move(stack)};
  return to_page_json(ImagesData{"", {view}, 0, ""})["views"][0]["stacks"][0];
}

TEST(ImagesJson, ValuesBecomeBytes) {
  const PageJson document = stack_json(
      {.name = "T", .low = -1, .high = 1, .values = {-1, 1, static_cast<float>(not_a_number)}});
  EXPECT_EQ(document["codes"], "AP7/");  // 0, 254, 255
  EXPECT_EQ(document["palette"], "diverging");
  EXPECT_FALSE(document.contains("clipped"));
  EXPECT_FALSE(document.contains("over"));
}

TEST(ImagesJson, SaysWhenTheScaleIsTooShort) {
  const PageJson document = stack_json(
      {.name = "T", .palette = Palette::grey, .low = 0, .high = 1, .values = {2}, .over = 0});
  EXPECT_EQ(document["clipped"], true);
  EXPECT_EQ(document["palette"], "grey");
  EXPECT_EQ(document["over"], 0);
}

}  // namespace
}  // namespace sunder
