#include "report/figures/sparse_profile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder {
namespace {

// Returns `count` as a percentage of a part of all the entries.
double percentage(double count, double entries, double part) {
  return entries * part > 0 ? 100 * count / (entries * part) : 0;
}

double part_of_mode(const Binning& binning, Index bin, Index extent) {
  return static_cast<double>(binning.length(bin)) / static_cast<double>(extent);
}

}  // namespace

Binning::Binning(Index extent, Index max_bins)
    : extent_(extent),
      length_(std::max<Index>(1, (extent + max_bins - 1) / max_bins)),
      bins_((extent + length_ - 1) / length_) {}

std::vector<double> Binning::edges() const {
  std::vector<double> edges;
  for (Index k = 0; k <= bins_; ++k) edges.push_back(static_cast<double>(begin(k)) - 0.5);
  return edges;
}

Histogram slice_shares(const SparseTensor& sparse, int mode, Index max_bins) {
  const Index extent = sparse.shape()[mode];
  const Binning binning(extent, max_bins);
  Histogram bars{binning.edges(), std::vector<double>(binning.bins())};
  for (Index k = 0; k < sparse.count(); ++k) {
    const Index index = sparse.coordinates(k)[mode];
    bars.heights[binning.bin(index)] += 1;
  }
  const auto entries = static_cast<double>(sparse.shape().entries());
  for (Index k = 0; k < binning.bins(); ++k) {
    double& height = bars.heights[k];
    height = percentage(height, entries, part_of_mode(binning, k, extent));
  }
  return bars;
}

PairShares pair_shares(const SparseTensor& sparse, int row_mode, int column_mode, Index max_bins) {
  const Shape& shape = sparse.shape();
  const Binning rows(shape[row_mode], max_bins), columns(shape[column_mode], max_bins);
  std::vector<double> counts(rows.bins() * columns.bins());
  for (Index k = 0; k < sparse.count(); ++k) {
    const ModeIndices index = sparse.coordinates(k);
    const Index row = rows.bin(index[row_mode]);
    const Index column = columns.bin(index[column_mode]);
    counts[row * columns.bins() + column] += 1;
  }
  PairShares shares{rows, columns, {}};
  const auto entries = static_cast<double>(shape.entries());
  for (Index row = 0; row < rows.bins(); ++row) {
    const double row_part = part_of_mode(rows, row, shape[row_mode]);
    for (Index column = 0; column < columns.bins(); ++column) {
      const double count = counts[row * columns.bins() + column];
      const double part = row_part * part_of_mode(columns, column, shape[column_mode]);
      shares.percentages.push_back(static_cast<float>(percentage(count, entries, part)));
    }
  }
  return shares;
}

Histogram magnitude_histogram(const SparseTensor& sparse, int bins) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : sparse.values()) {
    const double magnitude = std::log10(std::abs(value));
    if (!std::isfinite(magnitude)) continue;
    low = std::min(low, magnitude);
    high = std::max(high, magnitude);
  }
  if (low > high) return {};
  // All values have the same size: draw one bar with a margin around it.
  const double room = high - low < 1e-6 ? 0.5 : 0;
  low -= room;
  high += room;
  Histogram out{{}, std::vector<double>(bins)};
  for (int k = 0; k <= bins; ++k) {
    out.edges.push_back(std::pow(10.0, low + (high - low) * k / bins));
  }
  for (const double value : sparse.values()) {
    const double magnitude = std::log10(std::abs(value));
    if (!std::isfinite(magnitude)) continue;
    const int bin = static_cast<int>((magnitude - low) / (high - low) * bins);
    out.heights[std::clamp(bin, 0, bins - 1)] += 1;
  }
  return out;
}

}  // namespace sunder
