#include "report/sections/section_data.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "report/figures/image_codes.hpp"

namespace sunder {
namespace {

// A chart cannot show more than six digits; all digits would take three times the space.
PageJson short_number(double value) {
  if (!std::isfinite(value)) return nullptr;
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return std::strtod(text, nullptr);
}

PageJson numbers(const std::vector<double>& values) {
  PageJson array = PageJson::array();
  for (const double value : values) array.push_back(short_number(value));
  return array;
}

PageJson axis(const PlotAxis& axis) {
  return {{"label", axis.label}, {"log", axis.log}, {"integer", axis.integer}};
}

PageJson curve(const Curve& curve) {
  PageJson x = PageJson::array();
  for (const std::vector<double>& values : curve.x) x.push_back(numbers(values));
  PageJson out{{"name", curve.name}, {"x", x}, {"y", numbers(curve.y)}};
  if (!curve.low.empty()) out["low"] = numbers(curve.low);
  if (!curve.high.empty()) out["high"] = numbers(curve.high);
  if (curve.filled) out["filled"] = true;
  return out;
}

PageJson plot(const Plot& plot) {
  PageJson x = PageJson::array(), curves = PageJson::array(), marks = PageJson::array();
  for (const PlotAxis& one : plot.x) x.push_back(axis(one));
  for (const Curve& one : plot.curves) curves.push_back(curve(one));
  for (const PlotMark& mark : plot.marks) {
    marks.push_back({{"x", short_number(mark.x)}, {"label", mark.label}});
  }
  return {{"title", plot.title},
          {"description", plot.description},
          {"x", x},
          {"y", axis(plot.y)},
          {"curves", curves},
          {"marks", marks},
          {"spread", plot.spread == Spread::band ? "band" : "whiskers"}};
}

PageJson axis(const ImageAxis& axis) {
  return {{"label", axis.label}, {"extent", axis.extent}, {"indices", axis.indices}};
}

const char* name_of(Palette palette) {
  switch (palette) {
    case Palette::heat:
      return "heat";
    case Palette::grey:
      return "grey";
    case Palette::diverging:
      break;
  }
  return "diverging";
}

std::string codes_of(const ImageStack& stack) {
  return base64(image_codes(stack.values, stack.low, stack.high));
}

PageJson described(const ImageStack& stack, bool with_codes) {
  PageJson out{{"name", stack.name},
               {"palette", name_of(stack.palette)},
               {"low", short_number(stack.low)},
               {"high", short_number(stack.high)},
               {"codes", with_codes ? codes_of(stack) : std::string()}};
  const auto beyond = [&](float value) {
    return static_cast<double>(value) < stack.low || static_cast<double>(value) > stack.high;
  };
  if (std::ranges::any_of(stack.values, beyond)) out["clipped"] = true;
  if (stack.over >= 0) out["over"] = stack.over;
  return out;
}

PageJson described(const ImagesData& data, bool with_codes) {
  PageJson views = PageJson::array();
  for (const ImageView& view : data.views) {
    PageJson stacks = PageJson::array();
    for (const ImageStack& one : view.stacks) stacks.push_back(described(one, with_codes));
    views.push_back({{"name", view.name},
                     {"note", view.note},
                     {"frames", axis(view.frames)},
                     {"rows", axis(view.rows)},
                     {"columns", axis(view.columns)},
                     {"stacks", std::move(stacks)}});
  }
  return {{"choice", data.choice},
          {"views", std::move(views)},
          {"first", data.first},
          {"unit", data.unit}};
}

}  // namespace

std::string script_safe_json(const PageJson& data) {
  const std::string text = data.dump(-1, ' ', false, PageJson::error_handler_t::replace);
  std::string out;
  out.reserve(text.size());
  std::size_t begin = 0;
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', begin)) {
    out.append(text, begin, at - begin).append("\\u003c");
    begin = at + 1;
  }
  return out.append(text, begin);
}

PageJson to_page_json(const CurvesData& data) {
  PageJson choices = PageJson::array(), plots = PageJson::array();
  for (const PlotChoice& choice : data.choices) {
    choices.push_back({{"label", choice.label},
                       {"options", choice.options},
                       {"side_by_side", choice.side_by_side}});
  }
  for (const Plot& one : data.plots) plots.push_back(plot(one));
  return {{"choices", choices}, {"plots", plots}};
}

PageJson to_page_json(const TableData& data) {
  PageJson rows = PageJson::array();
  for (const std::vector<TableCell>& cells : data.rows) {
    PageJson row = PageJson::array();
    for (const TableCell& cell : cells) {
      if (const double* number = std::get_if<double>(&cell)) {
        row.push_back(std::isfinite(*number) ? PageJson(*number) : PageJson(nullptr));
      } else {
        row.push_back(std::get<std::string>(cell));
      }
    }
    rows.push_back(row);
  }
  return {{"columns", data.columns}, {"rows", rows}};
}

PageJson to_page_json(const ImagesData& data) { return described(data, true); }

std::string to_page_text(const CurvesData& data) { return script_safe_json(to_page_json(data)); }

std::string to_page_text(const TableData& data) { return script_safe_json(to_page_json(data)); }

// The codes, which are nearly all of the text, need no escape. A quotation mark inside a text has
// one, so that only the places of the codes look like this.
std::string to_page_text(const ImagesData& data) {
  constexpr std::string_view place = "\"codes\":\"\"";
  const std::string text = script_safe_json(described(data, false));
  std::string out;
  std::size_t begin = 0;
  for (const ImageView& view : data.views) {
    for (const ImageStack& stack : view.stacks) {
      const std::size_t end = text.find(place, begin) + place.size() - 1;
      out.append(text, begin, end - begin).append(codes_of(stack));
      begin = end;
    }
  }
  return out.append(text, begin);
}

}  // namespace sunder
