#pragma once
/// Whether the entries that a model fits determine it.

#include "algorithms/mode_constraints.hpp"
#include "algorithms/robust_cp/dense_core.hpp"

namespace sunder::robust {

/// Whether each component has at least half of its square on entries with |C - L| < level, in every
/// slice. Then it is not in two parts that no such entry joins, as it would be where they, or those
/// that are not missing, form blocks.
bool are_fitted_by_half(const DenseCore& core, const Factors& factors, double level);

/// From factors nearby, Gauss-Newton on the entries with |C - L| < level alone must lead back to
/// the same L. A difference that remains is where these entries say least: a good part of it must
/// be on them (a thousandth of its size), or there is a family of models that fit them all, as
/// where they form a cross of a few slices. They must do so without any eighth of them, drawn at
/// random: no entry alone, which may be an error, decides. Rows with fewer than 2 r such entries
/// are left to those who see the whole slice (verification.hpp).
bool is_determined_by_fitted(const DenseCore& core, const Factors& factors, double level,
                             const ModeConstraints& constraints, Rng& rng, Monitor& monitor);

}  // namespace sunder::robust
