#pragma once
/// Whether the entries that a model fits are fitted down to rounding, or to some larger noise.

#include "algorithms/robust_cp/core/algebra/factors.hpp"
#include "engine/engine.hpp"
#include "sunder/core/rng.hpp"

namespace sunder::robust {

/// What rounding leaves of a fitted entry at most, in units of what the components have there:
/// that of the arithmetic, and of the numbers as they are stored.
double rounding_share(ScalarType storage);

/// The sum of the components' magnitudes, in place of the sum of the components.
Factors magnitudes(const Factors& factors);

/// Whether nearly all of the entries with |T - L| < level, among some drawn evenly, leave no more
/// than rounding. A few entries of S are within the level by accident, so that one large residual
/// says nothing. True if none is fitted.
bool fits_to_rounding(Engine& engine, const Factors& factors, double level, Rng& rng);

}  // namespace sunder::robust
