#pragma once
/// Where in the tensor the entries of S lie, and how large they are, in few figures.

#include <algorithm>
#include <vector>

#include "report/figures/histogram.hpp"
#include "sunder/core/sparse_tensor.hpp"

namespace sunder {

/// The indices 0 .. extent-1 in at most `max_bins` runs of equal length, but for the last: cells of
/// two sizes would show as a pattern that is not in the data.
class Binning {
 public:
  Binning(Index extent, Index max_bins);
  Index bins() const { return bins_; }
  Index bin(Index index) const { return index / length_; }
  /// First index of a bin; begin(bins()) is the extent.
  Index begin(Index bin) const { return std::min(bin * length_, extent_); }
  Index length(Index bin) const { return begin(bin + 1) - begin(bin); }
  /// Ends of the bins on an axis where index i sits in the middle of [i - 1/2, i + 1/2].
  std::vector<double> edges() const;

 private:
  Index extent_;
  Index length_;  // of all bins but the last, which may be shorter
  Index bins_;
};

/// For each run of slices of the mode, the percentage of their entries that are in S.
Histogram slice_shares(const SparseTensor& sparse, int mode, Index max_bins);

/// Percentages over two modes, in cells.
struct PairShares {
  Binning rows, columns;
  std::vector<float> percentages;  ///< row by row
};
/// Percentage of the entries in S over two modes, all others summed.
PairShares pair_shares(const SparseTensor& sparse, int row_mode, int column_mode, Index max_bins);

/// How many entries of S have which absolute value, over intervals of equal ratio. Empty if none
/// is finite and not 0.
Histogram magnitude_histogram(const SparseTensor& sparse, int bins);

}  // namespace sunder
