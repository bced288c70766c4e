#pragma once
/// Models of a core that the robust fit missed: by other starts, each improved by moves.

#include "algorithms/robust_cp/consensus/consensus.hpp"
#include "algorithms/robust_cp/core/core_solver.hpp"

namespace sunder::robust {

/// The model that fits the most entries of the core to rounding, among those that moves reach from
/// the fit that is known, from plain least squares, from robust fits of fewer components, and from
/// the fibres through single entries. It is not exact if none of them fits enough.
CoreSolution solve_from_other_starts(const DenseCore& core, const CoreSolution& known,
                                     const ConsensusOptions& options,
                                     const ModeConstraints& constraints, Rng& rng,
                                     Monitor& monitor);

}  // namespace sunder::robust
