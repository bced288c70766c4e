#pragma once
/// A histogram of |T - L|, for the entries of S and for all others.

#include <vector>

#include "report/figures/histogram.hpp"

namespace sunder {

class ResidualHistogram {
 public:
  /// Counts a residual; ignores one that is not finite.
  void add(double residual, bool in_sparse);

  Index entries() const { return entries_; }
  /// Returns the number of residuals that are exactly 0, which have no place on a log axis.
  Index zeros() const { return zeros_; }

  struct Parts {
    Histogram kept;
    Histogram in_sparse;
  };
  /// Returns both histograms over the same edges, with at most `max_bins` intervals of equal ratio;
  /// empty if all residuals are 0.
  Parts parts(int max_bins) const;

 private:
  struct Counts {
    double kept = 0;
    double in_sparse = 0;
  };
  std::vector<Counts> counts_;  // in tenths of a decade, from the smallest number there is
  Index entries_ = 0;
  Index zeros_ = 0;
};

}  // namespace sunder
