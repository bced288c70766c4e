#pragma once
/// Whether the entries that a model fits determine it.

#include "algorithms/cp/mode_constraints.hpp"
#include "algorithms/robust_cp/core/dense_core.hpp"

namespace sunder::robust {

/// Entries of a slice that must be fitted for its row to be known: 2 r, or all there are, but more
/// than the r unknowns, since some row fits any r entries, errors or not.
Index entries_needed(Index in_slice, Index rank);

/// From factors nearby, Gauss-Newton on the entries with |C - L| < level alone must lead back to
/// the same L. A difference that remains is where these entries say least: a good part of it must
/// be on them (a thousandth of its size), or there is a family of models that fit them all, as
/// where they form a cross of a few slices. They must do so without any eighth of them, drawn at
/// random: no entry alone, which may be an error, decides. And so must the signs be (signs.hpp).
/// Rows that need more such entries than there are are left to those who see the whole slice
/// (verification.hpp).
///
/// Nothing of this is tried where each component has, in every slice, at least half of its square
/// on such entries: then it is not in two parts that none of them joins.
bool is_determined_by_fitted(const DenseCore& core, const Factors& factors, double level,
                             const ModeConstraints& constraints, Rng& rng, Monitor& monitor);

}  // namespace sunder::robust
