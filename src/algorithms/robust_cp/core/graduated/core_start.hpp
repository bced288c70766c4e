#pragma once
/// Where the core solver starts from: a plain CP fit inside the leading subspaces.

#include "algorithms/cp/mode_constraints.hpp"
#include "algorithms/robust_cp/core/dense_core.hpp"

namespace sunder::robust {

struct AlsFit {
  Factors factors;
  double relative_cost = 0;  ///< ||X - L||^2 / ||X||^2
};

/// CP-ALS on a small dense tensor. Random normal start unless `start` is given. Of the constraints,
/// those on signs are kept.
AlsFit small_als(const Shape& shape, const Entries& entries, int rank, Rng& rng, int sweeps,
                 double tolerance, const Factors* start = nullptr,
                 const ModeConstraints& constraints = {});

/// Higher-order SVD to `rank` directions in each mode, then the best of several CP-ALS fits of the
/// compressed tensor. A matrix gets its singular vectors.
Factors subspace_start(const Shape& shape, const Entries& entries, int rank, Rng& rng,
                       Monitor& monitor);

}  // namespace sunder::robust
