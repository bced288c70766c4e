#include "report/figures/residual_histogram.hpp"

#include <cmath>

namespace sunder {
namespace {

constexpr double cells_per_decade = 10;

}  // namespace

void ResidualHistogram::add(double residual, bool in_sparse) {
  const double size = std::abs(residual);
  if (!std::isfinite(size)) return;
  ++entries_;
  if (size == 0) {
    ++zeros_;
    return;
  }
  Counts& cell = counts_[static_cast<int>(std::floor(cells_per_decade * std::log10(size)))];
  (in_sparse ? cell.in_sparse : cell.kept) += 1;
}

ResidualHistogram::Parts ResidualHistogram::parts(int max_bins) const {
  Parts out;
  if (counts_.empty()) return out;
  const int first = counts_.begin()->first;
  const int cells = counts_.rbegin()->first - first + 1;
  const int width = (cells + max_bins - 1) / max_bins;
  const auto bins = static_cast<std::size_t>((cells + width - 1) / width);
  for (std::size_t k = 0; k <= bins; ++k) {
    const double cell = first + static_cast<double>(k) * width;
    out.kept.edges.push_back(std::pow(10.0, cell / cells_per_decade));
  }
  out.in_sparse.edges = out.kept.edges;
  out.kept.heights.resize(bins);
  out.in_sparse.heights.resize(bins);
  for (const auto& [cell, counts] : counts_) {
    const auto bin = static_cast<std::size_t>((cell - first) / width);
    out.kept.heights[bin] += counts.kept;
    out.in_sparse.heights[bin] += counts.in_sparse;
  }
  return out;
}

}  // namespace sunder
