#pragma once
/// A strict reader of the markup we write: every tag closed, in order, attributes quoted.

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

/// Empty if the page is well formed, otherwise what is wrong with it.
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
    if (closes) {
      if (open.empty() || open.back() != name) return "closes what is not open: " + near;
      open.pop_back();
    } else if (!tag.ends_with('/') && !tag.starts_with('!')) {
      open.push_back(name);
    }
    at = end + 1;
  }
  return open.empty() ? "" : "never closed: " + open.back();
}

}  // namespace sunder::testing
