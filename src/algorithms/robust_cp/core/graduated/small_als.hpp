#pragma once
/// Alternating least squares on a tensor that is small and dense.

#include "algorithms/cp/mode_constraints.hpp"
#include "algorithms/robust_cp/core/dense_core.hpp"

namespace sunder::robust {

struct AlsFit {
  Factors factors;
  double relative_cost = 0;  ///< ||X - L||^2 / ||X||^2
};

struct SmallAlsOptions {
  int sweeps = 0;        ///< at most
  double tolerance = 0;  ///< it ends when a sweep lowers ||X - L||^2 by less of ||X||^2
};

/// CP-ALS on a small dense tensor. Random normal start unless `start` is given. Of the constraints,
/// those on signs are kept.
AlsFit small_als(const Shape& shape, const Entries& entries, int rank, Rng& rng,
                 const SmallAlsOptions& options, const Factors* start = nullptr,
                 const ModeConstraints& constraints = {});

}  // namespace sunder::robust
