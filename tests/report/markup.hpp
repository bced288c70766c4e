#pragma once
/// A strict reader of the markup we write: every tag closed, in order, attributes quoted.

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace sunder::testing {

/// Where the quoted attributes are skipped, the end of the tag that starts at `begin`.
inline std::size_t end_of_tag(std::string_view page, std::size_t begin) {
  bool quoted = false;
  for (std::size_t k = begin; k < page.size(); ++k) {
    if (page[k] == '"') quoted = !quoted;
    if (page[k] == '<' && k > begin) return std::string_view::npos;
    if (page[k] == '>' && !quoted) return k;
  }
  return std::string_view::npos;
}

/// Empty if the page is well formed, otherwise what is wrong with it. What is inside script and
/// style elements is skipped, as a browser does.
inline std::string markup_fault(std::string_view page) {
  std::vector<std::string> open;
  std::size_t at = 0;
  while ((at = page.find('<', at)) != std::string_view::npos) {
    const std::size_t end = end_of_tag(page, at);
    const std::string near(page.substr(at, 60));
    if (end == std::string_view::npos) return "tag does not end: " + near;
    const std::string_view tag = page.substr(at + 1, end - at - 1);
    const bool closes = tag.starts_with('/');
    const std::string_view body = closes ? tag.substr(1) : tag;
    const std::string name(body.substr(0, body.find_first_of(" \n/")));
    at = end + 1;
    if (closes) {
      if (open.empty() || open.back() != name) return "closes what is not open: " + near;
      open.pop_back();
    } else if (!tag.ends_with('/') && !tag.starts_with('!')) {
      open.push_back(name);
      if (name == "script" || name == "style")
        at = std::min(page.find("</" + name, at), page.size());
    }
  }
  return open.empty() ? "" : "never closed: " + open.back();
}

/// The data of the sections of one kind, in order.
inline std::vector<nlohmann::json> section_data(std::string_view page, const std::string& kind) {
  const std::string opening = "data-kind=\"" + kind + "\">\n<script type=\"application/json\">";
  std::vector<nlohmann::json> found;
  std::size_t at = 0;
  while ((at = page.find(opening, at)) != std::string_view::npos) {
    at += opening.size();
    found.push_back(nlohmann::json::parse(page.substr(at, page.find("</script>", at) - at)));
  }
  return found;
}

/// The page without the text of the chart library, whose licence names its own address.
inline std::string without(std::string page, std::string_view text) {
  const std::size_t at = page.find(text);
  return at == std::string::npos ? page : page.erase(at, text.size());
}

}  // namespace sunder::testing
