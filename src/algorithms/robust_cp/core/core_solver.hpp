#pragma once
/// Robust CP of a core, with a verdict on whether it was solved exactly.

#include "algorithms/cp/mode_constraints.hpp"
#include "algorithms/robust_cp/core/core_solution.hpp"
#include "algorithms/robust_cp/core/dense_core.hpp"
#include "algorithms/robust_cp/levels/certificate.hpp"
#include "algorithms/robust_cp/levels/core.hpp"

namespace sunder::robust {

struct CoreOptions {
  bool reduce = true;  ///< to fewer components, where those given share what fewer could do
  int rungs = levels::ladder::rungs;  ///< starts to try, from the cheapest to the most patient
  bool until_noise = false;           ///< no further start once what remains looks like noise
  /// What rounding does to the ratio of two entries, at most.
  double ratio_rounding = levels::ratio_rounding;
  /// Modes that share a factor have equal index sets.
  ModeConstraints constraints = {};
};

CoreSolution solve_core(const DenseCore& core, int rank, const CoreOptions& options, Rng& rng,
                        Monitor& monitor);

/// The same from given factors that are close to a solution.
CoreSolution solve_core_from(const DenseCore& core, Factors start, const CoreOptions& options,
                             Rng& rng, Monitor& monitor);

/// Judges an exact solution: whether it is fitted to rounding, whether other models fit the same
/// entries, and how much evidence its outliers ask for.
void assess(const DenseCore& core, const CoreOptions& options, CoreSolution& solution, Rng& rng,
            Monitor& monitor);

}  // namespace sunder::robust
