#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "report/envelope.hpp"
#include "report/html.hpp"
#include "report/report_parts.hpp"
#include "report/run_figures.hpp"
#include "report/sparse_profile.hpp"
#include "report/svg.hpp"

namespace sunder {
namespace {

// Bounds that keep the page below 2 MB whatever the data.
constexpr std::size_t max_curve_points = 400;
constexpr std::size_t max_component_plots = 12;
constexpr std::size_t max_weight_bars = 200;
constexpr Index max_slice_bins = 200;
constexpr Index max_heat_map_bins = 64;
constexpr int histogram_bins = 40;

std::string figure(std::string_view css_class, std::string_view picture, std::string_view caption) {
  return fmt::format("<figure class=\"{}\">{}<figcaption>{}</figcaption></figure>\n", css_class,
                     picture, caption);
}

svg::Series trace_series(const std::vector<TraceRecord>& trace, std::string name,
                         double TraceRecord::*field) {
  std::vector<svg::Point> points;
  for (const TraceRecord& record : trace) {
    points.push_back({static_cast<double>(record.pass), record.*field});
  }
  return {std::move(name), envelope(points, max_curve_points)};
}

// Heaviest first; weights that are not numbers come last.
std::vector<int> by_weight(const Vector& weights) {
  std::vector<int> order(static_cast<std::size_t>(weights.size()));
  std::iota(order.begin(), order.end(), 0);
  const auto size = [&](int k) { return std::isnan(weights[k]) ? -1.0 : std::abs(weights[k]); };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return size(a) > size(b); });
  return order;
}

std::string factor_plot(const Matrix& factor, int component, int mode) {
  std::vector<svg::Point> points;
  for (Eigen::Index i = 0; i < factor.rows(); ++i) {
    points.push_back({static_cast<double>(i), factor(i, component)});
  }
  svg::Frame frame;
  frame.description = fmt::format("Factor of component {} in mode {}", component, mode);
  frame.x = {.label = "index", .integer = true};
  frame.width = 320;
  frame.height = 140;
  const std::array series{svg::Series{"", envelope(points, max_curve_points)}};
  return fmt::format("<figure><figcaption>Mode {}</figcaption>{}</figure>\n", mode,
                     svg::line_plot(frame, series));
}

std::string slices_figure(const SparseTensor& sparse, int mode) {
  const svg::Bars bars = slice_shares(sparse, mode, max_slice_bins);
  svg::Frame frame;
  frame.description = fmt::format("Share of the entries in S along mode {}", mode);
  frame.x = {.label = fmt::format("index in mode {}", mode), .integer = true};
  frame.y = {.label = "entries in S, %"};
  frame.width = 480;
  frame.height = 190;
  const Index extent = sparse.shape()[mode];
  const bool binned = extent > max_slice_bins;
  const std::string caption =
      binned ? fmt::format("Mode {}: {} slices in {} runs of neighbours.", mode,
                           html::count(extent), bars.heights.size())
             : fmt::format("Mode {}: one bar for each of the {} slices.", mode, extent);
  return figure("", svg::bar_plot(frame, bars),
                extent == 1 ? fmt::format("Mode {}: a single slice.", mode) : caption);
}

// The two longest modes, in their order in the tensor: rows and columns of the heat map.
std::array<int, 2> two_longest_modes(const Shape& shape) {
  std::vector<int> modes(static_cast<std::size_t>(shape.order()));
  std::iota(modes.begin(), modes.end(), 0);
  std::stable_sort(modes.begin(), modes.end(), [&](int a, int b) { return shape[a] > shape[b]; });
  return {std::min(modes[0], modes[1]), std::max(modes[0], modes[1])};
}

std::string pair_figure(const SparseTensor& sparse) {
  const Shape& shape = sparse.shape();
  const auto [row_mode, column_mode] = two_longest_modes(shape);
  svg::Frame frame;
  frame.description =
      fmt::format("Share of the entries in S over modes {} and {}", row_mode, column_mode);
  frame.x = {.label = fmt::format("index in mode {}", column_mode), .integer = true};
  frame.y = {.label = fmt::format("index in mode {}", row_mode), .integer = true};
  const double aspect =
      static_cast<double>(shape[row_mode]) / static_cast<double>(shape[column_mode]);
  frame.width = 480;
  frame.height = 80 + 400 * std::clamp(aspect, 0.35, 1.0);
  const svg::HeatMap map = pair_shares(sparse, row_mode, column_mode, max_heat_map_bins);
  return figure("", svg::heat_map(frame, map, "%"),
                "The two longest modes, summed over the others: share of the entries of each cell "
                "that are in S. Stripes point to whole slices that do not fit the model.");
}

std::string magnitude_figure(const Decomposition& result) {
  svg::Frame frame;
  frame.description = "Histogram of the sizes of the entries of S";
  const std::string threshold = result.trace.empty()
                                    ? ""
                                    : fmt::format(" The threshold was {} at the end.",
                                                  html::number(result.trace.back().threshold));
  frame.x = {.label = "log₁₀ |entry of S|"};
  frame.y = {.label = "number of entries", .integer = true};
  frame.width = 480;
  frame.height = 260;
  return figure("", svg::bar_plot(frame, magnitude_histogram(result.sparse, histogram_bins)),
                "How large the entries of S are, in the units of the data." + threshold);
}

}  // namespace

std::string convergence_section(const Decomposition& result) {
  if (result.trace.empty()) {
    return "<h2>Convergence</h2>\n<p>The method recorded no iterations.</p>\n";
  }
  svg::Frame frame;
  frame.description = "Change of L, kept residual and threshold against passes over the data";
  frame.x = {.label = "passes over the data", .integer = true};
  frame.y = {.label = "", .scale = svg::Scale::log};
  frame.width = 720;
  frame.height = 320;
  const std::array series{
      trace_series(result.trace, "change of L (relative)", &TraceRecord::change),
      trace_series(result.trace, "kept residual (relative)", &TraceRecord::kept_residual),
      trace_series(result.trace, "threshold (units of the data)", &TraceRecord::threshold)};
  return "<h2>Convergence</h2>\n" +
         figure("wide", svg::line_plot(frame, series),
                "Change of L: from one iteration to the next, over the norm of L. Kept residual: "
                "norm of what neither L nor S explains, over the norm of the data. Threshold: "
                "residuals from this size on go to S. Values of 0 have no place on the log axis.");
}

std::string weights_section(const Decomposition& result) {
  const Vector& weights = result.low_rank.weights();
  if (weights.size() == 0) return "<h2>Components</h2>\n<p>L is zero: it has no components.</p>\n";
  const auto shown = std::min(static_cast<std::size_t>(weights.size()), max_weight_bars);
  svg::Bars bars{.edges = {-0.5}, .heights = {}, .fill = 0.6};
  for (std::size_t k = 0; k < shown; ++k) {
    bars.heights.push_back(weights[static_cast<Eigen::Index>(k)]);
    bars.edges.push_back(static_cast<double>(k) + 0.5);
  }
  svg::Frame frame;
  frame.description = "Weights of the components";
  frame.x = {.label = "component", .integer = true};
  frame.y = {.label = "weight (units of the data)"};
  frame.width = 720;
  frame.height = 220;
  const std::string rest =
      shown < static_cast<std::size_t>(weights.size())
          ? fmt::format(" The first {} of {} are shown.", shown, weights.size())
          : "";
  return "<h2>Components</h2>\n" +
         figure("wide", svg::bar_plot(frame, bars),
                "Weight of each component: its norm, as its factors have unit length." + rest);
}

std::string factors_section(const Decomposition& result) {
  const CpModel& model = result.low_rank;
  if (model.rank() == 0 || model.order() == 0) return "";
  std::vector<int> components = by_weight(model.weights());
  const std::size_t shown = std::min(components.size(), max_component_plots);
  components.resize(shown);
  std::string out = "<h2>Factors</h2>\n<p>Each component is the product of one curve per mode.";
  if (shown < static_cast<std::size_t>(model.rank())) {
    out += fmt::format(" The {} heaviest of {} components are shown.", shown, model.rank());
  }
  out += "</p>\n";
  for (const int component : components) {
    out += fmt::format("<h3>Component {} · weight {}</h3>\n<div class=\"multiples\">\n", component,
                       html::number(model.weights()[component]));
    for (int mode = 0; mode < model.order(); ++mode) {
      out += factor_plot(model.factor(mode), component, mode);
    }
    out += "</div>\n";
  }
  return out;
}

std::string sparse_section(const Decomposition& result) {
  const SparseTensor& sparse = result.sparse;
  std::string out = "<h2>Where S lies</h2>\n";
  if (sparse.count() == 0) return out + "<p>S is empty: no entry was set aside.</p>\n";
  out += "<div class=\"pair\">\n";
  if (sparse.shape().order() >= 2) out += pair_figure(sparse);
  out += magnitude_figure(result);
  for (int mode = 0; mode < sparse.shape().order(); ++mode) out += slices_figure(sparse, mode);
  return out + "</div>\n";
}

}  // namespace sunder
