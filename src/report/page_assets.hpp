#pragma once
/// The files of src/report/page and the chart library, embedded when sunder is built
/// (cmake/embed_text.cmake).

#include <string_view>

namespace sunder {

struct PageAsset {
  std::string_view text;
  std::string_view sha256;  ///< of the text, in hexadecimal
};

extern const PageAsset chart_library;
extern const PageAsset page_script;
extern const PageAsset page_style;

}  // namespace sunder
