#pragma once
/// Components that the entries of a dense box of S obey.

#include <optional>

#include "algorithms/robust_cp/consensus/window.hpp"

namespace sunder::robust {

/// `count` components that fit part of what `rest` (T - L on the window) has in the box, zero
/// outside of it. Empty if none is found.
Factors components_in_box(const Window& window, const Entries& rest, const Box& box, int count,
                          Rng& rng, Monitor& monitor);

/// Whether slices of `rest` in the box are proportional to each other in more entries than accident
/// explains: some of them belong to a component. Nullopt if there are too many pairs to look at.
std::optional<bool> has_proportional_slices(const Window& window, const Entries& rest,
                                            const Box& box);

/// The model with another component in the place of one: on the entries where that is at work, it
/// fits what the model leaves. Empty if the model leaves too few of them, or nothing is found.
Factors rival_of_component(const Window& window, const Factors& factors, Index component, Rng& rng);

}  // namespace sunder::robust
