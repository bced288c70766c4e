#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "report/figures/envelope.hpp"
#include "report/html.hpp"
#include "report/sections/report_parts.hpp"

namespace sunder {
namespace {

// Limits that keep the page small whatever the data.
constexpr std::size_t max_curve_points = 400;
constexpr std::size_t max_points = 60'000;
constexpr Index max_weight_bars = 200;
constexpr double band_width = 1.96;  ///< standard errors: 95% of a normal variable
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// Orders the components, heaviest first; weights that are not numbers come last.
std::vector<int> by_weight(const Vector& weights) {
  std::vector<int> order(weights.size());
  std::iota(order.begin(), order.end(), 0);
  const auto size = [&](int k) { return std::isnan(weights[k]) ? -1.0 : std::abs(weights[k]); };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return size(a) > size(b); });
  return order;
}

std::size_t points_of_a_component(const Shape& shape) {
  std::size_t points = 0;
  for (const Index extent : shape) {
    points += std::min(static_cast<std::size_t>(extent), max_curve_points);
  }
  return points;
}

Plot factor_plot(const Matrix& factor, const Matrix* errors, int component, int mode) {
  const Vector values = factor.col(component);
  const std::span<const double> column(values.data(), static_cast<std::size_t>(values.size()));
  const std::vector<std::size_t> places = envelope(column, max_curve_points);
  Curve curve;
  curve.y = picked(column, places);
  if (places.size() < column.size()) curve.x.emplace_back(places.begin(), places.end());
  for (const std::size_t k : errors != nullptr ? places : std::vector<std::size_t>{}) {
    const double reach = band_width * (*errors)(static_cast<Index>(k), component);
    curve.low.push_back(column[k] - reach);
    curve.high.push_back(column[k] + reach);
  }
  Plot plot;
  plot.title = fmt::format("Mode {}", mode);
  plot.description = fmt::format("Factor of component {} in mode {}", component, mode);
  plot.x = {{.label = "index", .integer = true}};
  plot.curves = {curve};
  return plot;
}

}  // namespace

void add_weights(Page& page, const CpModel& model) {
  page.add_heading("Components");
  const Vector& weights = model.weights();
  if (weights.size() == 0) {
    page.add_html("<p>L is zero: it has no components.</p>\n");
    return;
  }
  if (weights.size() == 1) {
    page.add_html(
        fmt::format("<p>L has one component, of weight {}.</p>\n", html::number(weights[0])));
    return;
  }
  const Index shown = std::min<Index>(weights.size(), max_weight_bars);
  Curve bars{.name = "", .x = {{}}, .y = {}, .low = {}, .high = {}, .filled = true};
  for (Index k = 0; k < shown; ++k) {
    const auto middle = static_cast<double>(k);
    for (const double edge : {-0.5, -0.3, 0.3, 0.5}) bars.x[0].push_back(middle + edge);
    for (const bool inside : {false, true, true, false}) {
      bars.y.push_back(inside ? weights[k] : not_a_number);
    }
  }
  Plot plot;
  plot.description = "Weights of the components";
  plot.x = {{.label = "component", .integer = true}};
  plot.y = {.label = "weight (units of the data)"};
  plot.curves = {bars};
  const std::string rest =
      shown < weights.size() ? fmt::format(" The first {} of {} are shown.", shown, weights.size())
                             : "";
  page.add(CurvesData{{}, {plot}},
           "Weight of each component: its norm, as its factors have unit length." + rest);
}

void add_factors(Page& page, const CpModel& model, const StandardErrors& errors) {
  if (model.rank() == 0 || model.order() == 0) return;
  std::vector<int> components = by_weight(model.weights());
  const std::size_t affordable =
      std::max<std::size_t>(1, max_points / points_of_a_component(model.shape()));
  components.resize(std::min(components.size(), affordable));
  CurvesData data{{{"component", {}}, {"mode", {}, true}}, {}};
  for (int mode = 0; mode < model.order(); ++mode) {
    data.choices[1].options.push_back(std::to_string(mode));
  }
  for (const int component : components) {
    data.choices[0].options.push_back(
        fmt::format("{} (weight {})", component, html::number(model.weights()[component])));
    for (int mode = 0; mode < model.order(); ++mode) {
      const bool known = errors.factors.size() == model.factors().size();
      data.plots.push_back(factor_plot(model.factor(mode), known ? &errors.factors[mode] : nullptr,
                                       component, mode));
    }
  }
  page.add_heading("Factors");
  std::string caption = "Each component is the product of one curve per mode.";
  if (!errors.factors.empty()) {
    caption +=
        " The bands hold the true values with a probability of 95% each, if the fit is right.";
  }
  if (components.size() < static_cast<std::size_t>(model.rank())) {
    caption +=
        fmt::format(" The {} heaviest of {} components are here.", components.size(), model.rank());
  }
  page.add(data, caption);
}

}  // namespace sunder
