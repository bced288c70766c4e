#pragma once
/// Models of fewer components that fit as many entries.

#include <optional>

#include "algorithms/robust_cp/consensus/window.hpp"

namespace sunder::robust {

/// Whether some change of the factors leaves L as it is, beside moving scales: components may share
/// what fewer could do.
bool may_be_redundant(const Factors& factors, Rng& rng);

/// A model with fewer components that fits at least `fitted` entries, if one is found: by merging
/// parallel components, by least squares on the entries that the model fits, or without a component
/// that only makes up for what the others lack to rounding.
std::optional<Factors> with_fewer_components(const Window& window, const Factors& factors,
                                             Index fitted, Rng& rng, Monitor& monitor);

}  // namespace sunder::robust
