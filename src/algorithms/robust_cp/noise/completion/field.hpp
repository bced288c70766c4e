#pragma once
/// What a low-rank model leaves of real data is not noise: neighbours in time, similar sensors and
/// similar days err alike. It is taken as a normal random tensor, the field, whose covariance is a
/// product over the modes, plus noise. Its mean, given the entries that are known, fills the gaps.

#include "algorithms/robust_cp/core/dense_core.hpp"

namespace sunder::robust {

struct FieldFit {
  Entries mean;     ///< of the field at every entry, in the unit of the residuals
  Entries weights;  ///< 0 where an entry is missing or an isolated error
};

/// Expectation maximisation from these weights. The residuals are zero where they are not known.
FieldFit fit_field(const DenseCore& core, const Entries& residuals, Entries weights, Rng& rng,
                   Monitor& monitor);

}  // namespace sunder::robust
