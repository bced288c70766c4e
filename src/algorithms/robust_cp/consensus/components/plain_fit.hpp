#pragma once
/// Least squares without any robustness, which is right where there are no errors.

#include "algorithms/robust_cp/core/dense_core.hpp"

namespace sunder::robust {

/// A CP fit of all observed entries: inside the leading subspaces first, then by Gauss-Newton until
/// it no longer improves.
Factors plain_fit(const DenseCore& core, int rank, Rng& rng, Monitor& monitor);

/// The second part of it: Gauss-Newton on the observed entries, from a start.
Factors least_squares(const DenseCore& core, Factors factors, Monitor& monitor);

}  // namespace sunder::robust
