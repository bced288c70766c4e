#pragma once
/// How z is distributed where there is noise and no error (an empirical null, Efron 2004): normal
/// or, where the tails are heavier, Student's t.

#include <limits>
#include <optional>

#include "algorithms/robust_cp/inference/standard_residuals.hpp"

namespace sunder::robust {

struct NullDistribution {
  double scale = 1;                                          ///< of z
  double degrees = std::numeric_limits<double>::infinity();  ///< of freedom; infinite: normal
  double share = 1;                                          ///< of the entries

  double density(double z) const;
  /// The probability beyond a |z| that is large.
  double tail(double z) const;
};

/// Noise is symmetric, and its density falls on either side. What one side has more than the other,
/// and what rises outwards, are errors. Tails count only as far as the core does not contradict
/// them. Nothing where entries are few, or where z is far from a standard variable.
std::optional<NullDistribution> fit_null(const StandardResiduals& residuals);

}  // namespace sunder::robust
