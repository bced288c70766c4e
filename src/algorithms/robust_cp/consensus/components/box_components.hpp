#pragma once
/// Components that the entries of a dense box of S obey.

#include "algorithms/robust_cp/consensus/window.hpp"

namespace sunder::robust {

/// `count` components that fit part of what `rest` (T - L on the window) has in the box, zero
/// outside of it. Empty if none is found.
Factors components_in_box(const Window& window, const Entries& rest, const Box& box, int count,
                          Rng& rng, Monitor& monitor);

/// The box on which a component is at work, with the entries that are known there and those that
/// the whole model does not fit.
Box support_of_component(const Window& window, const Factors& factors, Index component);

}  // namespace sunder::robust
