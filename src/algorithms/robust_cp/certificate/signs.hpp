#pragma once
/// Whether the entries that a model fits determine the signs in it.

#include "algorithms/cp/mode_constraints.hpp"
#include "algorithms/robust_cp/core/dense_core.hpp"

namespace sunder::robust {

/// With other signs of some rows, a component may be the same on all of the entries marked in
/// `fitted`: where all that are left are negative, a model of positive rows fits them as well. Such
/// another model is far away, and no small step finds it. Signs that change no entry anywhere (of
/// all rows in two modes) do not count. An entry tells something about a component that is at least
/// `level` there.
bool signs_are_determined(const Shape& shape, const Factors& factors, const Entries& fitted,
                          double level, const ModeConstraints& constraints, Rng& rng);

}  // namespace sunder::robust
