#pragma once
/// The files of src/report/page and the chart library, embedded at build time
/// (cmake/embed_text.cmake).

#include <string_view>

namespace sunder {

struct PageAsset {
  std::string_view text;
  std::string_view sha256;  ///< hash of the text, in hexadecimal
};

extern const PageAsset chart_library;
extern const PageAsset page_script;
extern const PageAsset page_style;

}  // namespace sunder
