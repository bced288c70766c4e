#pragma once
/// The mean slope of the score over the mean weight of the entries. Weights that fall with the
/// residual hold less information than their mean says.

#include "algorithms/robust_cp/noise/refine.hpp"

namespace sunder::robust {

double relative_score_slope(const NoisyFit& fit);

}  // namespace sunder::robust
