#pragma once
/// Whether the entries that a model fits determine the signs in it.

#include "algorithms/cp/mode_constraints.hpp"
#include "algorithms/robust_cp/core/dense_core.hpp"

namespace sunder::robust {

/// Asks whether a component with other signs of some rows is the same on all entries that are
/// marked in `fitted`. If all of them are negative, for example, a model of positive rows with a
/// negative weight fits them as well. Such a model is far away, and no small step finds it. Changes
/// of sign that change no entry anywhere (of all rows in two modes) do not count. An entry tells
/// something about a component that is at least `level` there. These are equations over the field
/// of two elements.
bool signs_are_determined(const Shape& shape, const Factors& factors, const Entries& fitted,
                          double level, const ModeConstraints& constraints, Rng& rng);

}  // namespace sunder::robust
