#pragma once
/// Summaries of the positions and sizes of the entries of S.

#include <algorithm>
#include <vector>

#include "report/figures/histogram.hpp"
#include "sunder/core/sparse_tensor.hpp"

namespace sunder {

/// Divides the indices 0 .. extent-1 into at most `max_bins` bins of equal length except the last.
/// Cells of two sizes would show a pattern that is not in the data.
class Binning {
 public:
  Binning(Index extent, Index max_bins);
  Index bins() const { return bins_; }
  Index bin(Index index) const { return index / length_; }
  /// Returns the first index of a bin; begin(bins()) is the extent.
  Index begin(Index bin) const { return std::min(bin * length_, extent_); }
  Index length(Index bin) const { return begin(bin + 1) - begin(bin); }
  /// Returns the edges of the bins on an axis where index i covers [i - 1/2, i + 1/2].
  std::vector<double> edges() const;

 private:
  Index extent_;
  Index length_;  // length of all bins but the last, which may be shorter
  Index bins_;
};

/// For each bin of slices of the mode, computes the percentage of their entries that are in S.
Histogram slice_shares(const SparseTensor& sparse, int mode, Index max_bins);

/// Percentages over the cells of two modes.
struct PairShares {
  Binning rows, columns;
  std::vector<float> percentages;  ///< row by row
};
/// Computes the percentage of entries in S over two modes, summed over all others.
PairShares pair_shares(const SparseTensor& sparse, int row_mode, int column_mode, Index max_bins);

/// Counts the entries of S by absolute value, over intervals of equal ratio. The result is empty if
/// no entry is finite and non-zero.
Histogram magnitude_histogram(const SparseTensor& sparse, int bins);

}  // namespace sunder
