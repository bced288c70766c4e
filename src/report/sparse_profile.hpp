#pragma once
/// Where in the tensor the entries of S lie, and how large they are, in few figures.

#include <vector>

#include "report/svg.hpp"
#include "sunder/core/sparse_tensor.hpp"

namespace sunder {

/// The indices 0 .. extent-1 in at most `max_bins` runs whose lengths differ by at most one.
class Binning {
 public:
  Binning(Index extent, Index max_bins);
  Index bins() const { return bins_; }
  Index bin(Index index) const;
  /// First index of a bin; begin(bins()) is the extent.
  Index begin(Index bin) const;
  Index length(Index bin) const { return begin(bin + 1) - begin(bin); }
  /// Ends of the bins on an axis where index i sits in the middle of [i - 1/2, i + 1/2].
  std::vector<double> edges() const;

 private:
  Index bins_ = 0;
  Index short_length_ = 0;  // of all bins but the first long_bins_, which have one index more
  Index long_bins_ = 0;
};

/// For each run of slices of the mode, the percentage of their entries that are in S.
svg::Bars slice_shares(const SparseTensor& sparse, int mode, Index max_bins);

/// Percentage of the entries in S over two modes, all others summed.
svg::HeatMap pair_shares(const SparseTensor& sparse, int row_mode, int column_mode, Index max_bins);

/// How many entries of S have which log10 of their absolute value. Empty if none is finite.
svg::Bars magnitude_histogram(const SparseTensor& sparse, int bins);

}  // namespace sunder
