#pragma once
/// From a random core of T to a candidate: a model of the whole tensor.

#include "algorithms/robust_cp/run_context.hpp"

namespace sunder::robust {

/// T on the index sets, over its scale: the solver works on numbers near one.
DenseCore scaled_core(RunContext& context, const IndexSets& sets);
IndexSets draw_core(const RunContext& context, const Shape& extents, Rng& rng);
/// A candidate in the unit of the data. The scale is a power of two, which changes no digit, and
/// comes after singular vectors, whose roots of it would.
Candidate in_unit_of_data(const RunContext& context, Factors factors, const CoreSolution& core);

/// Draws a core of these extents and fits it. The answer is a step of the journal.
Sampled solve_random_core(RunContext& context, const Shape& extents, const CoreOptions& options,
                          Rng& rng);

/// Extends the factors of the core to all rows of T. `start`: rows that are known already, but not
/// to rounding. The answer is a step of the journal.
Candidate extend_to_tensor(RunContext& context, const Sampled& sampled, Rng& rng,
                           const Factors* start = nullptr);

/// Fits another core of these extents by moves from other starts (consensus/other_starts.hpp), if
/// its robust fit is not exact. The answer is a step of the journal.
Sampled solve_core_by_moves(RunContext& context, const Shape& extents, Rng& rng);

}  // namespace sunder::robust
