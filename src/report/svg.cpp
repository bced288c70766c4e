#include "report/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "report/html.hpp"

namespace sunder::svg {
namespace {

constexpr double character_width = 6.4;  // of the 11 px labels, on the generous side
constexpr double line_height = 16;
constexpr int series_styles = 3;
constexpr std::size_t max_dots = 40;  // curves of up to so many points show each of them

template <class... Args>
void append(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

// Characters, not bytes: continuation bytes of UTF-8 do not count.
double text_width(std::string_view text) {
  const auto characters = std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  });
  return character_width * static_cast<double>(characters);
}

struct Box {
  double left, top, right, bottom;
};

void open(std::string& out, const Frame& frame) {
  append(out, R"(<svg viewBox="0 0 {:.0f} {:.0f}" role="img" aria-label="{}">)", frame.width,
         frame.height, html::escape(frame.description));
}

void text(std::string& out, double x, double y, std::string_view anchor, std::string_view label) {
  append(out, R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>)", x, y, anchor,
         html::escape(label));
}

std::string without_data(const Frame& frame) {
  std::string out;
  open(out, frame);
  text(out, frame.width / 2, frame.height / 2, "middle", "nothing to show");
  return out + "</svg>";
}

// Room for labels around the data; `header` lines of text go above it.
Box data_area(const Frame& frame, const AxisScale& x, const AxisScale& y, int header) {
  double widest = 0;
  for (const Tick& tick : y.ticks()) widest = std::max(widest, text_width(tick.label));
  const double last = x.ticks().empty() ? 0 : text_width(x.ticks().back().label);
  return {widest + 12, 8 + (header > 0 ? 6 : 0) + line_height * header,
          frame.width - std::max(8.0, last / 2 + 2),
          frame.height - line_height * (frame.x.label.empty() ? 1 : 2) - 6};
}

// Two axes, placed, and the box between them.
struct Layout {
  AxisScale x, y;
  Box box;
};

// Lines across the data, or only marks beside it where they would hide what is drawn.
enum class Grid { lines, marks };

void draw_axes(std::string& out, const Frame& frame, const Layout& plot, Grid style) {
  const auto& [x, y, box] = plot;
  std::string grid;
  for (const Tick& tick : y.ticks()) {
    append(grid, "M{:.1f} {:.1f}H{:.1f}", box.left - (style == Grid::marks ? 4 : 0),
           y.pixel(tick.value), style == Grid::marks ? box.left : box.right);
    text(out, box.left - 6, y.pixel(tick.value) + 4, "end", tick.label);
  }
  append(out, R"(<path class="{}" d="{}"/>)", style == Grid::marks ? "axis" : "grid", grid);
  std::string marks = fmt::format("M{:.1f} {:.1f}H{:.1f}", box.left, box.bottom, box.right);
  for (const Tick& tick : x.ticks()) {
    append(marks, "M{:.1f} {:.1f}v4", x.pixel(tick.value), box.bottom);
    text(out, x.pixel(tick.value), box.bottom + line_height, "middle", tick.label);
  }
  append(out, R"(<path class="axis" d="{}"/>)", marks);
  if (!frame.y.label.empty()) text(out, 2, 12, "start", frame.y.label);
  if (!frame.x.label.empty()) {
    text(out, (box.left + box.right) / 2, frame.height - 4, "middle", frame.x.label);
  }
}

Layout lay_out(const Frame& frame, const Range& x_range, const Range& y_range, int header,
               AxisScale::Ends y_ends) {
  const int x_ticks = std::max(2, static_cast<int>(frame.width / 70));
  const int y_ticks = std::max(2, static_cast<int>(frame.height / 42));
  Layout plot{AxisScale(frame.x, x_range, x_ticks, AxisScale::Ends::tight),
              AxisScale(frame.y, y_range, y_ticks, y_ends),
              {}};
  plot.box = data_area(frame, plot.x, plot.y, header);
  plot.x.place(plot.box.left, plot.box.right);
  plot.y.place(plot.box.bottom, plot.box.top);
  return plot;
}

// A point on its own is a line of no length.
std::string polyline(std::span<const Point> points, const Layout& plot, const Range& drawable) {
  std::string path;
  bool pen_down = false;
  for (const Point& point : points) {
    if (!drawable.drawable(point.y) || !std::isfinite(point.x)) {
      pen_down = false;
      continue;
    }
    append(path, "{}{:.1f} {:.1f}", pen_down ? 'L' : 'M', plot.x.pixel(point.x),
           plot.y.pixel(point.y));
    if (!pen_down) path += "h0";
    pen_down = true;
  }
  return path;
}

// Lines of no length, which round caps show as dots.
std::string dots(std::span<const Point> points, const Layout& plot, const Range& drawable) {
  std::string path;
  for (const Point& point : points) {
    if (!drawable.drawable(point.y) || !std::isfinite(point.x)) continue;
    append(path, "M{:.1f} {:.1f}h0", plot.x.pixel(point.x), plot.y.pixel(point.y));
  }
  return path;
}

void draw_series(std::string& out, const Series& series, std::size_t style, const Layout& plot,
                 const Range& drawable) {
  append(out, R"(<path class="line s{}" d="{}"/>)", style, polyline(series.points, plot, drawable));
  if (series.points.size() > max_dots) return;
  append(out, R"(<path class="line s{} dots" d="{}"/>)", style,
         dots(series.points, plot, drawable));
}

void draw_legend(std::string& out, std::span<const Series> series, double y) {
  double x = 2;
  for (std::size_t k = 0; k < series.size(); ++k) {
    append(out, R"(<path class="line s{}" d="M{:.1f} {:.1f}h22"/>)", k % series_styles, x + 2,
           y - 4);
    text(out, x + 30, y, "start", series[k].name);
    x += 30 + text_width(series[k].name) + 18;
  }
}

// Opacity of the lightest cells, so that they differ from empty ones at a glance.
constexpr double faintest = 0.08;

void draw_key(std::string& out, const Box& box, double largest, std::string_view unit) {
  const std::string label = fmt::format("{} {}", html::number(largest), unit);
  double x = box.right - text_width(label) - 6 - 5 * 14;
  const double y = box.top - 22;
  text(out, x - 6, y + 10, "end", "0");
  for (int k = 0; k < 5; ++k, x += 14) {
    append(out, R"(<rect class="cell" x="{:.1f}" y="{:.1f}" width="14" height="12" )", x, y);
    append(out, R"(fill-opacity="{:.2f}"/>)", std::max(faintest, k / 4.0));
  }
  text(out, x + 6, y + 10, "start", label);
}

void draw_cells(std::string& out, const HeatMap& map, const Layout& plot, double largest) {
  const std::size_t columns = map.column_edges.size() - 1;
  for (std::size_t k = 0; k < map.values.size(); ++k) {
    if (!(map.values[k] > 0)) continue;
    const std::size_t row = k / columns, column = k % columns;
    const double x = plot.x.pixel(map.column_edges[column]);
    const double y = plot.y.pixel(map.row_edges[row]);
    append(out,
           R"(<rect class="cell" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" )"
           R"(fill-opacity="{:.2f}"/>)",
           x, y, plot.x.pixel(map.column_edges[column + 1]) - x,
           plot.y.pixel(map.row_edges[row + 1]) - y, std::max(faintest, map.values[k] / largest));
  }
}

}  // namespace

std::string line_plot(const Frame& frame, std::span<const Series> series) {
  Range x_range(frame.x.scale), y_range(frame.y.scale);
  for (const Series& each : series) {
    for (const Point& point : each.points) {
      if (!y_range.drawable(point.y)) continue;
      x_range.include(point.x);
      y_range.include(point.y);
    }
  }
  if (x_range.empty() || y_range.empty()) return without_data(frame);
  const bool legend = series.size() > 1;
  const int header = (legend ? 1 : 0) + (frame.y.label.empty() ? 0 : 1);
  const Layout plot = lay_out(frame, x_range, y_range, header, AxisScale::Ends::at_ticks);
  std::string out;
  open(out, frame);
  draw_axes(out, frame, plot, Grid::lines);
  for (std::size_t k = 0; k < series.size(); ++k) {
    draw_series(out, series[k], k % series_styles, plot, y_range);
  }
  if (legend) draw_legend(out, series, line_height * header - 4);
  return out + "</svg>";
}

std::string bar_plot(const Frame& frame, const Bars& bars) {
  Range x_range, y_range;
  for (const double edge : bars.edges) x_range.include(edge);
  for (const double height : bars.heights) y_range.include(height);
  if (x_range.empty() || y_range.empty()) return without_data(frame);
  y_range.include(0);
  if (y_range.high() == 0 && y_range.low() == 0) y_range.include(1);
  const Layout plot =
      lay_out(frame, x_range, y_range, frame.y.label.empty() ? 0 : 1, AxisScale::Ends::at_ticks);
  std::string path;
  for (std::size_t k = 0; k < bars.heights.size(); ++k) {
    if (!y_range.drawable(bars.heights[k]) || bars.heights[k] == 0) continue;
    const double left = plot.x.pixel(bars.edges[k]), right = plot.x.pixel(bars.edges[k + 1]);
    const double gap = 0.5 * (1 - bars.fill) * (right - left);
    append(path, "M{:.1f} {:.1f}V{:.1f}H{:.1f}V{:.1f}Z", left + gap, plot.y.pixel(0),
           plot.y.pixel(bars.heights[k]), right - gap, plot.y.pixel(0));
  }
  std::string out;
  open(out, frame);
  draw_axes(out, frame, plot, Grid::lines);
  append(out, R"(<path class="bar" d="{}"/></svg>)", path);
  return out;
}

std::string heat_map(const Frame& frame, const HeatMap& map, std::string_view unit) {
  if (map.values.empty()) return without_data(frame);
  Range x_range, y_range;
  for (const double edge : map.column_edges) x_range.include(edge);
  for (const double edge : map.row_edges) y_range.include(edge);
  Layout plot = lay_out(frame, x_range, y_range, 2, AxisScale::Ends::tight);
  plot.y.place(plot.box.top, plot.box.bottom);  // rows run downwards
  const double largest = *std::max_element(map.values.begin(), map.values.end());
  std::string out;
  open(out, frame);
  draw_axes(out, frame, plot, Grid::marks);
  if (largest > 0) {
    draw_cells(out, map, plot, largest);
    draw_key(out, plot.box, largest, unit);
  }
  return out + "</svg>";
}

std::string_view style() {
  return R"(svg { display: block; width: 100%; height: auto; }
svg text { font-size: 11px; fill: var(--muted); font-variant-numeric: tabular-nums; }
svg .grid { stroke: var(--line); stroke-width: 1; fill: none; }
svg .axis { stroke: var(--muted); stroke-width: 1; fill: none; }
svg .line { fill: none; stroke-width: 1.6; stroke-linejoin: round; stroke-linecap: round; }
svg .s0 { stroke: var(--series-0); }
svg .s1 { stroke: var(--series-1); stroke-dasharray: 7 4; }
svg .s2 { stroke: var(--series-2); stroke-dasharray: 1.5 4; }
svg .dots { stroke-width: 4.5; stroke-dasharray: none; }
svg .bar { fill: var(--series-0); }
svg .cell { fill: var(--series-1); }
)";
}

}  // namespace sunder::svg
