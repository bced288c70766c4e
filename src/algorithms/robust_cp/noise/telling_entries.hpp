#pragma once
/// How many entries of T really determine a row of L.

#include "algorithms/robust_cp/core/algebra/factors.hpp"

namespace sunder::robust {

/// A row of a mode is a regression on the products of the other modes' rows. Where a few of these
/// products are far larger than the others, the row rests on them alone: an entry of leverage near
/// 1 is fitted whatever it holds, and an error in it leaves no residual (Huber 1981). Returns the
/// participation ratio of the leverages, (sum h)^2 / sum h^2, for each component, in the mode where
/// it is least; infinite if L is zero.
double telling_entries(const Factors& factors);

}  // namespace sunder::robust
