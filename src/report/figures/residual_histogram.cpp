#include "report/figures/residual_histogram.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sunder {
namespace {

constexpr double cells_per_decade = 10;
// A logarithm to base 2 takes a quarter of the time of one to base 10. The small shift keeps powers
// of ten in the cells that begin with them, whatever the rounding.
constexpr double cells_per_octave = cells_per_decade * std::numbers::ln2 / std::numbers::ln10;
constexpr double shift = 1e-12;
constexpr int first_cell = -3250;  // 1e-325 is no number any more
constexpr int cells = 6350;        // up to 1e310

}  // namespace

void ResidualHistogram::add(double residual, bool in_sparse) {
  const double size = std::abs(residual);
  if (!std::isfinite(size)) return;
  ++entries_;
  if (size == 0) {
    ++zeros_;
    return;
  }
  if (counts_.empty()) counts_.resize(cells);
  const double place = std::floor(cells_per_octave * std::log2(size) + shift);
  Counts& cell = counts_[static_cast<int>(place) - first_cell];
  (in_sparse ? cell.in_sparse : cell.kept) += 1;
}

ResidualHistogram::Parts ResidualHistogram::parts(int max_bins) const {
  Parts out;
  if (counts_.empty()) return out;
  const auto is_used = [](const Counts& cell) { return cell.kept + cell.in_sparse > 0; };
  const auto begin = std::ranges::find_if(counts_, is_used);
  const auto end = std::find_if(counts_.rbegin(), counts_.rend(), is_used).base();
  const int first = first_cell + static_cast<int>(begin - counts_.begin());
  const auto used = static_cast<int>(end - begin);
  const int width = (used + max_bins - 1) / max_bins;
  const auto bins = static_cast<std::size_t>((used + width - 1) / width);
  for (std::size_t k = 0; k <= bins; ++k) {
    const double cell = first + static_cast<double>(k) * width;
    out.kept.edges.push_back(std::pow(10.0, cell / cells_per_decade));
  }
  out.in_sparse.edges = out.kept.edges;
  out.kept.heights.resize(bins);
  out.in_sparse.heights.resize(bins);
  for (int k = 0; k < used; ++k) {
    const auto bin = static_cast<std::size_t>(k / width);
    out.kept.heights[bin] += begin[k].kept;
    out.in_sparse.heights[bin] += begin[k].in_sparse;
  }
  return out;
}

}  // namespace sunder
