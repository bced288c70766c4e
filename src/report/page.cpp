#include "report/page.hpp"

#include <fmt/format.h>

#include <charconv>

#include "report/figures/image_codes.hpp"
#include "report/html.hpp"
#include "report/page_assets.hpp"

namespace sunder {
namespace {

// Returns the hash by which a content security policy admits a text.
std::string policy_hash(const PageAsset& asset) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t k = 0; k + 1 < asset.sha256.size(); k += 2) {
    unsigned byte = 0;
    std::from_chars(asset.sha256.data() + k, asset.sha256.data() + k + 2, byte, 16);
    bytes.push_back(static_cast<std::uint8_t>(byte));
  }
  return fmt::format("'sha256-{}'", base64(bytes));
}

// 'none' forbids the network. Scripts run only by their hash, so injected markup could not run. The
// default does not cover the last two directives.
std::string policy() {
  return fmt::format(
      "default-src 'none'; script-src {} {}; style-src {}; img-src data:; "
      "base-uri 'none'; form-action 'none'",
      policy_hash(chart_library), policy_hash(page_script), policy_hash(page_style));
}

}  // namespace

Page::Page(std::string_view title) : title_(title) {}

void Page::add_heading(std::string_view text) {
  body_ += fmt::format("<h2>{}</h2>\n", html::escape(text));
}

void Page::add_section(std::string_view kind, std::string_view json, std::string_view caption) {
  body_ += fmt::format(
      "<figure class=\"{0}\" data-kind=\"{0}\">\n<script type=\"application/json\">", kind);
  body_.append(json).append("</script>\n");
  if (!caption.empty()) body_ += fmt::format("<figcaption>{}</figcaption>\n", caption);
  body_ += "</figure>\n";
}

void Page::add(const CurvesData& data, std::string_view caption) {
  add_section("curves", to_page_text(data), caption);
}

void Page::add(const TableData& data, std::string_view caption) {
  add_section("table", to_page_text(data), caption);
}

void Page::add(const ImagesData& data, std::string_view caption) {
  add_section("images", to_page_text(data), caption);
}

void Page::add_folded(std::string_view title, const TableData& data) {
  body_ += fmt::format("<details>\n<summary>{}</summary>\n", html::escape(title));
  add(data);
  body_ += "</details>\n";
}

std::string Page::render() const {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<title>{}</title>\n<link rel=\"icon\" href=\"data:,\"/>\n<style>{}</style>\n</head>\n"
      "<body>\n<main>\n{}"
      "<noscript><p>The charts and pictures of this page are drawn by its own script, which this "
      "browser does not run.</p></noscript>\n"
      "<footer>sunder {}</footer>\n</main>\n<script>{}</script>\n<script>{}</script>\n"
      "</body>\n</html>\n",
      policy(), html::escape(title_), page_style.text, body_, SUNDER_VERSION, chart_library.text,
      page_script.text);
}

}  // namespace sunder
