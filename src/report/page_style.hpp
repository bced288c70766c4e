#pragma once
/// The look of the pages.

#include <string_view>

namespace sunder {

/// Colours (light and dark), type and layout; the figures add svg::style().
std::string_view page_style();

}  // namespace sunder
