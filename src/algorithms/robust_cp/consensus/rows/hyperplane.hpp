#pragma once
/// How much of a slice two different rows of a factor can have in common.

#include "sunder/core/cp_model.hpp"
#include "sunder/core/rng.hpp"

namespace sunder::robust {

/// The share of the columns k of the design with k'd = 0, for the direction d that has the most of
/// them, as far as random directions and single coordinates show it. A row and its rival agree on
/// such columns.
double share_in_hyperplane(const Matrix& design, Rng& rng);

}  // namespace sunder::robust
