#include "report/figures/svg_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>

#include "report/figures/axis.hpp"
#include "report/html.hpp"

namespace sunder {

namespace {

using svg::AxisScale;
using svg::Range;
using svg::Scale;
using svg::Tick;

constexpr double plot_width = 420;
constexpr double plot_height = 300;
constexpr double left = 64;
constexpr double top = 34;
constexpr double bottom = 46;
constexpr double legend_row = 19;
constexpr double character_width = 7;  // of the 12 px labels, rounded up

constexpr std::array<const char*, 6> colours = {"#0b6b73", "#c0501a", "#6a55a4",
                                                "#7a6a10", "#a8326e", "#3c6db0"};
constexpr std::array<const char*, 7> dashes = {"none", "7 4",  "2 3", "9 3 2 3",
                                               "4 2",  "12 4", "1 2"};

/// Curves differ in colour and in dashes, for print without colour.
struct Style {
  const char* colour;
  const char* dashes;
};
Style style_of(std::size_t k) { return {colours[k % colours.size()], dashes[k % dashes.size()]}; }

template <class... Args>
void append(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

void text(std::string& out, double x, double y, std::string_view anchor, std::string_view label) {
  append(out, "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
         html::escape(label));
}

double x_of(const Curve& curve, std::size_t k) {
  return curve.x.empty() ? static_cast<double>(k) : curve.x.front()[k];
}

class Figure {
 public:
  explicit Figure(const Plot& plot);
  std::string draw() const;

 private:
  bool drawable(double x, double y) const { return x_range_.drawable(x) && y_range_.drawable(y); }
  void include(const Curve& curve);
  double width() const;
  void draw_axes(std::string& out) const;
  void draw_curve(std::string& out, const Curve& curve, const Style& style) const;
  void draw_legend(std::string& out) const;

  const Plot& plot_;
  Range x_range_, y_range_;
  std::optional<AxisScale> x_, y_;
};

svg::Axis axis_of(const PlotAxis& axis) {
  return {
      .label = axis.label, .scale = axis.log ? Scale::log : Scale::linear, .integer = axis.integer};
}

Figure::Figure(const Plot& plot)
    : plot_(plot), x_range_(axis_of(plot.x.front()).scale), y_range_(axis_of(plot.y).scale) {
  for (const Curve& curve : plot.curves) include(curve);
  x_.emplace(axis_of(plot.x.front()), x_range_, 7, AxisScale::Ends::tight);
  y_.emplace(axis_of(plot.y), y_range_, 8, AxisScale::Ends::at_ticks);
  x_->place(left, left + plot_width);
  y_->place(top + plot_height, top);
}

void Figure::include(const Curve& curve) {
  for (std::size_t k = 0; k < curve.y.size(); ++k) {
    if (!drawable(x_of(curve, k), curve.y[k])) continue;
    x_range_.include(x_of(curve, k));
    y_range_.include(curve.y[k]);
    if (k >= curve.low.size() || k >= curve.high.size()) continue;
    y_range_.include(curve.low[k]);
    y_range_.include(curve.high[k]);
  }
}

double Figure::width() const {
  std::size_t longest = 0;
  for (const Curve& curve : plot_.curves) longest = std::max(longest, curve.name.size());
  return left + plot_width + 60 + character_width * static_cast<double>(longest);
}

void Figure::draw_axes(std::string& out) const {
  for (const Tick& tick : y_->ticks()) {
    const double y = y_->pixel(tick.value);
    append(out, "<path stroke=\"#ddd\" d=\"M{:.1f} {:.1f}h{:.0f}\"/>\n", left, y, plot_width);
    text(out, left - 6, y + 4, "end", tick.label);
  }
  for (const Tick& tick : x_->ticks()) {
    const double x = x_->pixel(tick.value);
    append(out, "<path stroke=\"#333\" d=\"M{:.1f} {:.1f}v5\"/>\n", x, top + plot_height);
    text(out, x, top + plot_height + 18, "middle", tick.label);
  }
  append(out, "<path stroke=\"#333\" fill=\"none\" d=\"M{:.0f} {:.0f}v{:.0f}h{:.0f}\"/>\n", left,
         top, plot_height, plot_width);
  text(out, left + plot_width / 2, top + plot_height + 38, "middle", plot_.x.front().label);
  append(out,
         "<text transform=\"translate(14 {:.0f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
         top + plot_height / 2, html::escape(plot_.y.label));
}

void Figure::draw_curve(std::string& out, const Curve& curve, const Style& style) const {
  std::string line;
  std::string marks;
  bool pen_down = false;
  for (std::size_t k = 0; k < curve.y.size(); ++k) {
    if (!drawable(x_of(curve, k), curve.y[k])) {
      pen_down = false;
      continue;
    }
    const double x = x_->pixel(x_of(curve, k));
    const double y = y_->pixel(curve.y[k]);
    append(line, "{}{:.1f} {:.1f}", pen_down ? 'L' : 'M', x, y);
    append(marks, "M{:.1f} {:.1f}h6m-3 -3v6", x - 3, y);
    if (k < curve.low.size() && y_range_.drawable(curve.low[k]) &&
        y_range_.drawable(curve.high[k])) {
      append(marks, "M{:.1f} {:.1f}V{:.1f}", x, y_->pixel(curve.low[k]), y_->pixel(curve.high[k]));
    }
    pen_down = true;
  }
  append(out,
         "<path fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\" stroke-dasharray=\"{}\" "
         "d=\"{}\"/>\n<path fill=\"none\" stroke=\"{}\" stroke-width=\"1.4\" d=\"{}\"/>\n",
         style.colour, style.dashes, line, style.colour, marks);
}

void Figure::draw_legend(std::string& out) const {
  const double x = left + plot_width + 14;
  double y = top + 10;
  for (std::size_t k = 0; k < plot_.curves.size(); ++k, y += legend_row) {
    const Style style = style_of(k);
    append(out,
           "<path stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\" d=\"M{:.1f} "
           "{:.1f}h26\"/>\n",
           style.colour, style.dashes, x, y - 4);
    text(out, x + 33, y, "start", plot_.curves[k].name);
  }
}

std::string Figure::draw() const {
  const double height = std::max(top + plot_height + bottom,
                                 top + 20 + legend_row * static_cast<double>(plot_.curves.size()));
  std::string out;
  append(out,
         "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
         "viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\" font-family=\"sans-serif\" "
         "font-size=\"12\">\n<title>{2}</title>\n<rect width=\"100%\" height=\"100%\" "
         "fill=\"#fff\"/>\n",
         width(), height, html::escape(plot_.description));
  append(out, "<text x=\"{:.0f}\" y=\"20\" font-size=\"14\">{}</text>\n", left,
         html::escape(plot_.title));
  draw_axes(out);
  for (std::size_t k = 0; k < plot_.curves.size(); ++k) {
    draw_curve(out, plot_.curves[k], style_of(k));
  }
  draw_legend(out);
  return out + "</svg>\n";
}

}  // namespace

std::string svg_figure(const Plot& plot) { return Figure(plot).draw(); }

}  // namespace sunder
