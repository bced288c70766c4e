#pragma once
/// Whether the entries bear out each component by itself. A component can be wrong on a corner of
/// the tensor, where its rows are not zero in any mode, without spoiling a slice.

#include "algorithms/robust_cp/core/dense_core.hpp"
#include "engine/engine.hpp"

namespace sunder::robust {

struct ComponentEvidence {
  int bad = 0;               ///< components that the entries they contribute to do not bear out
  double weakest_share = 1;  ///< of a component's entries that are fitted
};

/// The entries of a component are drawn by three laws: in proportion to its square, in proportion
/// to its magnitude, and alike wherever it is not zero. Under each law at least max(.05, `share` /
/// 4) must be fitted, and those must be more than three times the component's unknowns.
ComponentEvidence examine_components(Engine& engine, const Factors& factors, double level,
                                     double share, Rng& rng);

}  // namespace sunder::robust
