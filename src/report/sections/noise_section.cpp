#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "report/figures/envelope.hpp"
#include "report/figures/histogram.hpp"
#include "report/html.hpp"
#include "report/sections/report_parts.hpp"

namespace sunder {
namespace {

constexpr std::size_t max_curve_points = 400;
constexpr std::size_t max_rows = 500;
constexpr int density_points = 200;
constexpr double density_reach = 6;  ///< standard deviations on either side
constexpr double wide_deviation = 3;

std::string growth_sentence(const NoiseEstimate& noise) {
  if (noise.linear_growth == 0 && noise.square_growth == 0) return "";
  const double typical = std::sqrt(1 + noise.linear_growth + noise.square_growth);
  return fmt::format(
      " It grows with the signal: where |L| is {}, its root mean square, the deviation is {}.",
      html::number(noise.signal_size), html::number(noise.sigma * typical));
}

std::string noise_sentences(const NoiseEstimate& noise) {
  std::string out = fmt::format(
      "<p>The entries outside S differ from L by noise whose standard deviation is {} in an "
      "average slice where L is zero.{} {} of the entries are gross errors.",
      html::number(noise.sigma), growth_sentence(noise), html::percent(noise.outlier_share));
  if (noise.wide_share > 0) {
    out += fmt::format(" The tails of the noise are heavy: {} of it has three times the deviation.",
                       html::percent(noise.wide_share));
  }
  return out + "</p>\n";
}

double normal_density(double x, double sigma) {
  return std::exp(-0.5 * x * x / (sigma * sigma)) / (sigma * std::sqrt(2 * std::numbers::pi));
}

/// The noise around zero, over the density of gross errors.
Plot density_plot(const NoiseEstimate& noise) {
  Plot plot;
  plot.description = "The estimated densities of noise and of gross errors";
  plot.x = {{.label = "residual T - L"}};
  plot.y = {.label = "density", .log = true};
  Curve inliers{.name = "noise", .x = {{}}, .y = {}, .low = {}, .high = {}};
  for (int k = 0; k <= density_points; ++k) {
    const double x = density_reach * noise.sigma * (2.0 * k / density_points - 1);
    const double wide = noise.wide_share * normal_density(x, wide_deviation * noise.sigma);
    inliers.x[0].push_back(x);
    inliers.y.push_back((1 - noise.outlier_share) *
                        ((1 - noise.wide_share) * normal_density(x, noise.sigma) + wide));
  }
  Histogram errors{noise.edges, noise.outlier_density};
  for (double& height : errors.heights) height *= noise.outlier_share;
  Curve outliers = outline(errors, "gross errors");
  outliers.filled = false;
  plot.curves = {std::move(inliers), std::move(outliers)};
  return plot;
}

Plot slices_plot(const std::vector<double>& deviations, int mode) {
  const std::vector<std::size_t> places = envelope(deviations, max_curve_points);
  Curve curve{.name = "", .x = {{}}, .y = picked(deviations, places), .low = {}, .high = {}};
  for (const std::size_t k : places) curve.x[0].push_back(static_cast<double>(k));
  Plot plot;
  plot.title = fmt::format("Mode {}", mode);
  plot.description = fmt::format("Deviation of the noise along mode {}", mode);
  plot.x = {{.label = "index", .integer = true}};
  plot.y = {.label = "deviation over the average", .log = true};
  plot.curves = {std::move(curve)};
  return plot;
}

void add_flagged(Page& page, const Decomposition& result) {
  page.add_heading("Slices that do not obey the model");
  if (result.flagged_slices.empty()) {
    page.add_html("<p>No slice has far fewer inliers or far more noise than the others.</p>\n");
    return;
  }
  TableData table{{"mode", "index", "reason", "share of inliers", "deviation over the median",
                   "excess, nats", "q"},
                  {}};
  const std::size_t shown = std::min(result.flagged_slices.size(), max_rows);
  for (std::size_t k = 0; k < shown; ++k) {
    const FlaggedSlice& slice = result.flagged_slices[k];
    table.rows.push_back({static_cast<double>(slice.mode), static_cast<double>(slice.index),
                          slice.reason, slice.inlier_share, slice.deviation, slice.excess,
                          slice.q});
  }
  page.add(table,
           "The excess is the number of nats by which the description of an entry of the slice is "
           "longer than that of an entry of the median slice. q is the share of good slices to "
           "expect among those of the mode that look at least as bad.");
}

}  // namespace

void add_noise_section(Page& page, const Decomposition& result) {
  const NoiseEstimate& noise = result.noise;
  if (!noise.known) return;
  page.add_heading("The noise");
  page.add_html(noise_sentences(noise));
  page.add_html("<div class=\"pair\">\n");
  if (noise.sigma > 0)
    page.add(CurvesData{{}, {density_plot(noise)}}, "The residuals of an average slice.");
  CurvesData slices{{{"mode", {}, true}}, {}};
  for (std::size_t mode = 0; mode < noise.slice_deviations.size(); ++mode) {
    if (noise.slice_deviations[mode].empty()) continue;
    slices.choices[0].options.push_back(std::to_string(mode));
    slices.plots.push_back(slices_plot(noise.slice_deviations[mode], static_cast<int>(mode)));
  }
  if (!slices.plots.empty()) page.add(slices, "How the noise differs between slices.");
  page.add_html("</div>\n");
  add_flagged(page, result);
}

}  // namespace sunder
