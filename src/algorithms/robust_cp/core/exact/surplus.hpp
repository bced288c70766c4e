#pragma once
/// Components of an exact core that were not needed, and others that were not found.

#include "algorithms/robust_cp/core/core_solution.hpp"
#include "algorithms/robust_cp/core/dense_core.hpp"

namespace sunder::robust {

/// What the entries fitted to rounding add up to, in the unit of the solution.
PassStatistics fitted_statistics(const DenseCore& core, double spread, const Factors& factors,
                                 Monitor& monitor);

/// A component that hardly helps to fit anything beyond its own unknowns (it may sit on a single
/// outlier) was not needed: the rank is above the true one. It becomes zero. One that helps to fit
/// more than it has unknowns is no accident, though, and the solution is not the whole of L.
void drop_unsupported(const DenseCore& core, CoreSolution& solution, Monitor& monitor);

/// Components at work on few entries hide among the outliers, and show once the others are known.
/// Where some were left over, they are looked for there, one by one. Returns whether one was found.
/// `ratio_rounding`: what rounding does to the ratio of two entries, at most.
bool search_outliers(const DenseCore& core, double ratio_rounding, CoreSolution& solution, Rng& rng,
                     Monitor& monitor);

}  // namespace sunder::robust
