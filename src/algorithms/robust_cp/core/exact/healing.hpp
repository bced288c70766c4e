#pragma once
/// Rows of a core that the threshold locked out: they are fitted again, each by itself.

#include <vector>

#include "algorithms/robust_cp/core/core_solution.hpp"
#include "algorithms/robust_cp/core/dense_core.hpp"

namespace sunder::robust {

/// Whether some rows are fitted far worse than the others: the threshold may have locked them out.
bool has_poor_rows(const DenseCore& core, const CoreSolution& solution);

/// Refits the rows of every mode in turn by robust regression, as long as that helps, and judges
/// the solution again. `informative`: the entries at which sigma is measured.
void heal_rows(const DenseCore& core, const std::vector<Index>& informative, CoreSolution& solution,
               Rng& rng, Monitor& monitor);

}  // namespace sunder::robust
