#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/html.hpp"
#include "report/sections/report_parts.hpp"

namespace sunder {
namespace {

constexpr int residual_bins = 60;

// Returns the size below which 99 % of the non-zero entries lie, so that a few huge entries do not
// make all others look pale.
double usual_size(const std::vector<float>& values) {
  std::vector<float> sizes;
  sizes.reserve(values.size());
  for (const float value : values) {
    if (std::isfinite(value) && value != 0) sizes.push_back(std::abs(value));
  }
  if (sizes.empty()) return 0;
  const auto at = sizes.begin() + static_cast<std::ptrdiff_t>((sizes.size() - 1) * 99 / 100);
  std::nth_element(sizes.begin(), at, sizes.end());
  return *at;
}

// One scale for all modes, so that a colour has the same meaning everywhere. T and L share a scale,
// which follows L, because corrupted entries of T may be arbitrarily large.
struct Scales {
  double data = 0;
  double sparse = 0;
};

Scales scales_of(const SliceSample& sample) {
  Scales scales;
  double data = 0;  // used if L is 0
  for (const SlicesOfMode& slices : sample.modes) {
    scales.data = std::max(scales.data, usual_size(slices.low_rank));
    scales.sparse = std::max(scales.sparse, usual_size(slices.sparse));
    data = std::max(data, usual_size(slices.data));
  }
  if (scales.data == 0) scales.data = data > 0 ? data : 1;
  if (scales.sparse == 0) scales.sparse = scales.data;
  return scales;
}

ImageAxis axis(const Shape& shape, int mode, const std::vector<Index>& indices) {
  return {fmt::format("mode {}", mode), shape[mode], indices};
}

std::string thinning(const char* what, const ImageAxis& axis) {
  if (std::ssize(axis.indices) == axis.extent) return "";
  return fmt::format(" Of the {} {}, one in {} is shown.", html::count(axis.extent), what,
                     html::count(axis.indices.size() > 1 ? axis.indices[1] : axis.extent));
}

std::string note(const Shape& shape, const SlicesOfMode& slices, const ImageView& view) {
  std::string text = fmt::format("Rows: index of mode {}. Columns: index of mode {}.",
                                 slices.row_mode, slices.column_mode);
  for (int mode = 0; mode < shape.order(); ++mode) {
    if (mode == slices.frame_mode || mode == slices.row_mode || mode == slices.column_mode)
      continue;
    text += fmt::format(" Mode {} is fixed at its middle, {}.", mode, slices.fixed[mode]);
  }
  if (slices.frame_mode >= 0) text += thinning("slices", view.frames);
  return text + thinning("rows", view.rows) + thinning("columns", view.columns);
}

ImageView view_of(const Shape& shape, const SlicesOfMode& slices, const Scales& scales) {
  ImageView view;
  const bool matrix = slices.frame_mode < 0;
  view.name =
      matrix ? "" : fmt::format("{} ({} slices)", slices.frame_mode, shape[slices.frame_mode]);
  view.frames = matrix ? ImageAxis{"", 1, {0}} : axis(shape, slices.frame_mode, slices.frames);
  view.rows = axis(shape, slices.row_mode, slices.rows);
  view.columns = axis(shape, slices.column_mode, slices.columns);
  view.note = note(shape, slices, view);
  const auto stack = [](const char* name, double scale, const std::vector<float>& values) {
    return ImageStack{.name = name, .low = -scale, .high = scale, .values = values};
  };
  view.stacks = {stack("T, the data", scales.data, slices.data),
                 stack("L, low-rank", scales.data, slices.low_rank),
                 stack("S, sparse", scales.sparse, slices.sparse)};
  return view;
}

// Methods differ in what they do between the recorded threshold and S, so both are marked.
std::vector<PlotMark> marks_of(const Decomposition& result) {
  std::vector<PlotMark> marks;
  if (!result.trace.empty() && result.trace.back().threshold > 0) {
    const double threshold = result.trace.back().threshold;
    marks.push_back({threshold, "threshold " + html::number(threshold)});
  }
  double smallest = std::numeric_limits<double>::infinity();
  for (const double value : result.sparse.values()) smallest = std::min(smallest, std::abs(value));
  if (std::isfinite(smallest)) {
    marks.push_back({smallest, "S from " + html::number(smallest) + " on"});
  }
  return marks;
}

}  // namespace

void add_slices(Page& page, const ReportPictures& pictures) {
  page.add_heading("Slices");
  if (!pictures.slices) {
    page.add_html(fmt::format("<p>There are no pictures of slices: {}</p>\n",
                              html::escape(pictures.absent_because)));
    return;
  }
  const Scales scales = scales_of(*pictures.slices);
  ImagesData data;
  data.choice = "slices across mode";
  for (const SlicesOfMode& slices : pictures.slices->modes) {
    data.views.push_back(view_of(pictures.shape, slices, scales));
  }
  data.first = static_cast<int>(data.views.size()) - 1;
  page.add(data,
           "T and L share one colour scale, which ends at the size below which 99 % of the entries "
           "of L lie. S has its own scale, chosen in the same way. Larger entries take the colour "
           "of the end. "
           "Every pixel is one entry, not an average, in 255 steps of the scale. Missing entries "
           "are grey.");
}

void add_residuals(Page& page, const Decomposition& result, const SliceSample& sample) {
  const ResidualHistogram::Parts parts = sample.residuals.parts(residual_bins);
  page.add_heading("Residuals");
  if (parts.kept.heights.empty()) {
    page.add_html("<p>L fits every sampled entry exactly.</p>\n");
    return;
  }
  Plot plot;
  plot.description = "Histogram of the size of T - L";
  plot.x = {{.label = "|T − L| (units of the data)", .log = true}};
  plot.y = {.label = "number of entries", .log = true};
  plot.curves = {outline(parts.kept, "not in S"), outline(parts.in_sparse, "in S")};
  plot.marks = marks_of(result);
  std::string caption = fmt::format(
      "Size of the residual T - L at the {} entries of the slices above. A gap between the two "
      "groups means that S is clearly separated. The threshold is that of the last record of the "
      "run.",
      html::count(sample.residuals.entries()));
  if (sample.residuals.zeros() > 0) {
    caption += fmt::format(" {} residuals are exactly 0 and not drawn.",
                           html::count(sample.residuals.zeros()));
  }
  page.add(CurvesData{{}, {plot}}, caption);
}

}  // namespace sunder
