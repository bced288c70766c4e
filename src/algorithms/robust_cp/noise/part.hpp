#pragma once
/// A part of a core, on which starts are tried.

#include <initializer_list>

#include "algorithms/robust_cp/core/sampling.hpp"

namespace sunder::robust {

/// Index sets of a part. Where most of the energy lies in few slices of a mode, these are more
/// likely to be drawn: a part without peaks tells nothing about them.
IndexSets draw_part(const DenseCore& core, const Shape& extents, Rng& rng);

/// Draws the set anew by energy, if that is concentrated in few rows. Of several kinds of energy,
/// each has the same say.
void draw_rows_by_energy(std::initializer_list<Eigen::ArrayXd> energies, std::vector<Index>& set,
                         Rng& rng);

DenseCore part_of(const DenseCore& core, const IndexSets& sets);

}  // namespace sunder::robust
