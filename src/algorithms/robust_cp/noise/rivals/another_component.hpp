#pragma once
/// Whether what a fit leaves holds a component that is worth as much as one of its own.

#include <vector>

#include "algorithms/robust_cp/noise/refine.hpp"

namespace sunder::robust {

/// Adds the leading term of what is left, and leaves out the components that can best be spared.
/// One of these fits may explain the core better than the given one, or as well with another L:
/// then nothing in the data says which components are those of L. Fits that are hopeless are cut
/// short.
std::vector<NoisyFit> fits_with_another_component(const DenseCore& core, const NoisyFit& fit,
                                                  Rng& rng, Monitor& monitor);

}  // namespace sunder::robust
