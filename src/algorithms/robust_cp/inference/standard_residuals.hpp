#pragma once
/// The histogram of z = R / sqrt(v), residuals over the standard deviation of their noise, from the
/// counts that a pass has made.

#include <vector>

#include "algorithms/robust_cp/levels/inference.hpp"
#include "algorithms/robust_cp/noise/model/likelihood.hpp"

namespace sunder::robust {

struct StandardResiduals {
  static constexpr int per_side =
      static_cast<int>(levels::inference::z_reach / levels::inference::z_step);
  static constexpr int bins = 2 * per_side;

  std::vector<double> counts = std::vector<double>(bins);
  double total = 0;

  static int bin_of(double z);  ///< the first and the last one reach to infinity
  static double middle(int bin);
};

/// `noise` is that of the pass. Its bins are coarser than those of z far from zero: entries are
/// spread over the fine bins as their neighbours are.
StandardResiduals standard_residuals(const ResidualCounts& residuals, const NoiseModel& noise);

}  // namespace sunder::robust
