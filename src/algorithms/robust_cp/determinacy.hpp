#pragma once
/// Whether the entries that a model fits determine it.

#include "algorithms/mode_constraints.hpp"
#include "algorithms/robust_cp/dense_core.hpp"

namespace sunder::robust {

/// From factors nearby, Gauss-Newton on the entries with |C - L| < level alone must lead back to
/// the same L. A difference that remains is where these entries say least: a good part of it must
/// be on them (a thousandth of its size), or there is a family of models that fit them all, as
/// where they form a cross of a few slices. They must do so without any eighth of them, drawn at
/// random: no entry alone, which may be an error, decides.
bool is_determined_by_fitted(const DenseCore& core, const Factors& factors, double level,
                             const ModeConstraints& constraints, Rng& rng, Monitor& monitor);

}  // namespace sunder::robust
