#pragma once
/// What the silence of the search says about a dense box of S.

#include "algorithms/robust_cp/consensus/components/dense_boxes.hpp"

namespace sunder::robust {

/// How many components a box may have, and what places for them cost.
struct Places {
  int most = 1;             ///< components
  Index free = 0;           ///< places that cost nothing
  Index cost_of_place = 0;  ///< entries of the component that leaves for another one
};

/// Whether a component could fit more entries of S in the box than the model loses by it: those
/// that it fits in the box, and those of the component that gives its place.
bool is_worth_a_component(const Box& box, const Places& places);

/// Whether components could hide in a box in which nothing was found. Those that are worth having
/// fit more than the model loses by them, and more than three entries for each unknown, or nobody
/// could be sure of them. The solver has found them if that is a good part of the box and far more
/// than their unknowns. A single one would also make slices of S proportional to each other
/// (pairs_show_component).
bool may_hide_components(const Box& box, const Places& places, double ratio_rounding);

/// Whether a component that fits this share of a box makes two slices of S proportional to each
/// other in more entries than accident explains (outliers.hpp): it does if some four pairs of
/// slices are expected to be.
bool pairs_show_component(const Shape& box, double share, double ratio_rounding);

}  // namespace sunder::robust
