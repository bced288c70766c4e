#pragma once
/// A self-contained interactive page: it opens from a file, needs no network, and runs no scripts
/// but its own.

#include <string>
#include <string_view>

#include "report/sections/section_data.hpp"

namespace sunder {

class Page {
 public:
  explicit Page(std::string_view title);

  /// Adds markup, which must already be safe.
  void add_html(std::string_view html) { body_ += html; }
  /// Adds a second-level heading, given as plain text.
  void add_heading(std::string_view text);
  /// Add an interactive section; the caption is markup and must already be safe.
  void add(const CurvesData& data, std::string_view caption = "");
  void add(const TableData& data, std::string_view caption = "");
  void add(const ImagesData& data, std::string_view caption = "");
  /// Adds a table that stays folded until the reader opens its title (plain text).
  void add_folded(std::string_view title, const TableData& data);

  std::string render() const;

 private:
  void add_section(std::string_view kind, std::string_view json, std::string_view caption);

  std::string title_;
  std::string body_;
};

}  // namespace sunder
