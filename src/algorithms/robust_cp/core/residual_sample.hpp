#pragma once
/// Residuals at entries drawn at random: what a model leaves of T, without a pass over it.

#include <vector>

#include "algorithms/robust_cp/core/algebra/factors.hpp"
#include "core/statistics.hpp"
#include "engine/engine.hpp"

namespace sunder::robust {

struct ResidualSample {
  std::vector<double> magnitudes;  ///< |T - L|, where T is not missing
  double largest = 0;              ///< |T| of the same entries

  /// Standard deviation of the inliers.
  double sigma() const { return inlier_sigma(magnitudes); }
};

/// The same entries for every model of a run with this seed.
ResidualSample sample_residuals(Engine& engine, const Factors& factors, std::uint64_t seed);

}  // namespace sunder::robust
