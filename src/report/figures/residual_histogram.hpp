#pragma once
/// How large |T - L| is, for the entries that were left to noise and for those put into S.

#include <map>

#include "report/figures/histogram.hpp"

namespace sunder {

class ResidualHistogram {
 public:
  /// Residuals that are not finite are not counted.
  void add(double residual, bool in_sparse);

  Index entries() const { return entries_; }
  /// Residuals of exactly 0, which have no place on a log axis.
  Index zeros() const { return zeros_; }

  struct Parts {
    Histogram kept;
    Histogram in_sparse;
  };
  /// Both over the same edges, at most `max_bins` intervals of equal ratio. Empty if all are 0.
  Parts parts(int max_bins) const;

 private:
  struct Counts {
    double kept = 0;
    double in_sparse = 0;
  };
  std::map<int, Counts> counts_;  // by tenths of a decade
  Index entries_ = 0;
  Index zeros_ = 0;
};

}  // namespace sunder
