#include "report/page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/markup.hpp"
#include "report/page_assets.hpp"

namespace sunder {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

// U+2028 ends a line in a script, though not in JSON.
const std::string hostile =
    "</script><script>alert(1)</script><!-- & \" ' \xE2\x80\xA8 ]]> <svg onload=alert(1)>";

TEST(ScriptSafeJson, CannotLeaveItsElementAndSurvives) {
  const std::string text = script_safe_json({{"name", hostile}});
  EXPECT_EQ(text.find('<'), std::string::npos);
  EXPECT_EQ(json::parse(text)["name"], hostile);
}

TEST(ScriptSafeJson, IsJsonWhateverTheBytes) {
  EXPECT_TRUE(json::accept(script_safe_json({{"name", "caf\xE9"}})));
}

Page page_of_every_kind() {
  Page page(hostile);
  page.add_heading(hostile);
  Plot plot;
  plot.title = plot.description = plot.y.label = hostile;
  plot.curves = {{.name = hostile, .x = {{1, 2}}, .y = {3, 4}, .low = {2, 3}, .high = {4, 5}}};
  plot.marks = {{1.5, hostile}};
  page.add(CurvesData{{}, {plot}}, "a caption");
  page.add(TableData{{hostile, "b"}, {{hostile, 1.0}}});
  page.add_folded(hostile, TableData{{"a"}, {{"x"}}});
  ImageView view{.name = hostile,
                 .note = hostile,
                 .frames = {"", 1, {0}},
                 .rows = {"row", 1, {0}},
                 .columns = {"column", 2, {0, 1}},
                 .stacks = {{.name = hostile, .low = 0, .high = 1, .values = {0, 1}}}};
  page.add(ImagesData{hostile, {view}, 0, ""});
  return page;
}

TEST(Page, OnlyItsOwnScriptsAreScripts) {
  const std::string page = page_of_every_kind().render();
  EXPECT_EQ(testing::markup_fault(page), "");
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, Not(HasSubstr("<svg onload")));
  EXPECT_EQ(testing::section_data(page, "curves").size(), 1u);
  EXPECT_EQ(testing::section_data(page, "table").size(), 2u);
  EXPECT_EQ(testing::section_data(page, "images").size(), 1u);
  EXPECT_EQ(testing::section_data(page, "curves")[0]["plots"][0]["title"], hostile);
}

TEST(Page, ForbidsTheNetwork) {
  const std::string page = page_of_every_kind().render();
  EXPECT_THAT(page, HasSubstr("default-src 'none'; script-src 'sha256-"));
  EXPECT_THAT(page, HasSubstr("base-uri 'none'; form-action 'none'\""));
  EXPECT_THAT(page, Not(HasSubstr("unsafe")));
  const std::string ours = testing::without(page, chart_library.text);
  EXPECT_LT(ours.size(), page.size());
  EXPECT_THAT(ours, Not(HasSubstr("http://")));
  EXPECT_THAT(ours, Not(HasSubstr("https://")));
  EXPECT_THAT(ours, Not(HasSubstr("@import")));
  EXPECT_THAT(ours, Not(HasSubstr("url(")));
}

TEST(PageAssets, AreWhole) {
  EXPECT_THAT(std::string(chart_library.text), HasSubstr("Chart.js v"));
  EXPECT_THAT(std::string(chart_library.text), HasSubstr("MIT License"));
  EXPECT_TRUE(page_script.text.ends_with("sunder.start();\n"));
  EXPECT_THAT(std::string(page_style.text), HasSubstr("prefers-color-scheme: dark"));
  for (const PageAsset& asset : {chart_library, page_script, page_style}) {
    EXPECT_EQ(asset.sha256.size(), 64u);
  }
}

}  // namespace
}  // namespace sunder
