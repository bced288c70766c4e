#pragma once
/// From the core to all of T: every row of every mode by robust regression.

#include "algorithms/robust_cp/core/core_solver.hpp"
#include "algorithms/robust_cp/core/sampling.hpp"

namespace sunder::robust {

struct ExtensionOptions {
  double scale = 1;                ///< the core was solved for T / scale
  ModeConstraints constraints;     ///< of modes that share a factor one is extended
  const Factors* start = nullptr;  ///< rows that are known already, but not to rounding
};

/// Factors of T / scale. Where the core is exact, some columns suffice for most rows; the doubtful
/// ones see all of them.
Factors extend(Engine& engine, const IndexSets& sets, const CoreSolution& core,
               const ExtensionOptions& options, Rng& rng, Monitor& monitor);

/// Of a matrix: without this, its components could cancel each other.
void use_singular_vectors(Factors& factors);

}  // namespace sunder::robust
