#pragma once
/// A self-contained interactive page: opens from a file, needs no network, lets nothing but its own
/// scripts run.

#include <string>
#include <string_view>

#include "report/sections/section_data.hpp"

namespace sunder {

class Page {
 public:
  explicit Page(std::string_view title);

  /// Markup, already safe.
  void add_html(std::string_view html) { body_ += html; }
  /// A heading of the second level, in plain text.
  void add_heading(std::string_view text);
  /// Something to look at or play with; the caption is markup, already safe.
  void add(const CurvesData& data, std::string_view caption = "");
  void add(const TableData& data, std::string_view caption = "");
  void add(const ImagesData& data, std::string_view caption = "");
  /// As a table that is folded until its title, plain text, is chosen.
  void add_folded(std::string_view title, const TableData& data);

  std::string render() const;

 private:
  void add_section(std::string_view kind, const PageJson& data, std::string_view caption);

  std::string title_;
  std::string body_;
};

/// JSON that no text inside can break out of a script element with.
std::string script_safe_json(const PageJson& data);

}  // namespace sunder
