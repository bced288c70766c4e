#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "report/figures/sparse_profile.hpp"
#include "report/html.hpp"
#include "report/sections/report_parts.hpp"

namespace sunder {
namespace {

constexpr Index max_slice_bins = 200;
constexpr Index max_map_bins = 64;
constexpr int size_bins = 40;

// Returns the two longest modes, in their order in the tensor: the rows and columns of the map.
std::array<int, 2> two_longest_modes(const Shape& shape) {
  std::vector<int> modes(shape.order());
  std::iota(modes.begin(), modes.end(), 0);
  std::stable_sort(modes.begin(), modes.end(), [&](int a, int b) { return shape[a] > shape[b]; });
  return {std::min(modes[0], modes[1]), std::max(modes[0], modes[1])};
}

ImageAxis binned_axis(const Binning& binning, int mode, Index extent) {
  ImageAxis axis{fmt::format("mode {}", mode), extent, {}};
  for (Index k = 0; k < binning.bins(); ++k) axis.indices.push_back(binning.begin(k));
  return axis;
}

ImagesData map_of(const SparseTensor& sparse) {
  const Shape& shape = sparse.shape();
  const auto [row_mode, column_mode] = two_longest_modes(shape);
  const PairShares shares = pair_shares(sparse, row_mode, column_mode, max_map_bins);
  ImageView view;
  view.frames = {"", 1, {0}};
  view.rows = binned_axis(shares.rows, row_mode, shape[row_mode]);
  view.columns = binned_axis(shares.columns, column_mode, shape[column_mode]);
  const float most = *std::max_element(shares.percentages.begin(), shares.percentages.end());
  view.stacks = {{.name = "entries in S, %",
                  .palette = Palette::heat,
                  .low = 0,
                  .high = static_cast<double>(most),
                  .values = shares.percentages}};
  return {"", {view}, 0, "%"};
}

Plot slices_plot(const SparseTensor& sparse, int mode) {
  const Histogram shares = slice_shares(sparse, mode, max_slice_bins);
  const Index extent = sparse.shape()[mode];
  Plot plot;
  plot.title = extent > max_slice_bins
                   ? fmt::format("Mode {}: {} slices in {} runs of neighbours", mode,
                                 html::count(extent), shares.heights.size())
                   : fmt::format("Mode {}", mode);
  plot.description = fmt::format("Share of the entries in S along mode {}", mode);
  plot.x = {{.label = "index", .integer = true}};
  plot.y = {.label = "entries in S, %"};
  plot.curves = {outline(shares, "")};
  return plot;
}

CurvesData slices_of(const SparseTensor& sparse) {
  CurvesData data{{{"mode", {}, true}}, {}};
  for (int mode = 0; mode < sparse.shape().order(); ++mode) {
    data.choices[0].options.push_back(std::to_string(mode));
    data.plots.push_back(slices_plot(sparse, mode));
  }
  return data;
}

void add_sizes(Page& page, const Decomposition& result) {
  const Histogram sizes = magnitude_histogram(result.sparse, size_bins);
  if (sizes.heights.empty()) return;
  Plot plot;
  plot.description = "Histogram of the sizes of the entries of S";
  plot.x = {{.label = "|entry of S|", .log = true}};
  plot.y = {.label = "number of entries"};
  plot.curves = {outline(sizes, "")};
  if (!result.trace.empty()) plot.marks = {{result.trace.back().threshold, "threshold"}};
  page.add(CurvesData{{}, {plot}}, "How large the entries of S are, in the units of the data.");
}

}  // namespace

void add_sparse(Page& page, const Decomposition& result, bool with_sizes) {
  page.add_heading("Where S lies");
  const SparseTensor& sparse = result.sparse;
  if (sparse.count() == 0 && result.sparse_count > 0) {
    page.add_html(fmt::format(
        "<p>S has {} entries, which were written as they were found. 'sunder report RESULT' draws "
        "them on a machine with enough memory.</p>\n",
        html::count(result.sparse_count)));
    return;
  }
  if (sparse.count() == 0) {
    page.add_html("<p>S is empty.</p>\n");
    return;
  }
  page.add_html("<div class=\"pair\">\n");
  page.add(map_of(sparse),
           "The two longest modes, summed over the others: share of the entries of each cell that "
           "are in S.");
  page.add(slices_of(sparse),
           "Share of the entries of each slice that are in S. Slices that stand out do not fit the "
           "model as a whole.");
  if (with_sizes) add_sizes(page, result);
  page.add_html("</div>\n");
}

}  // namespace sunder
