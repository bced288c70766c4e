#pragma once
/// Whether entries that a model does not fit agree on other rows of it. With the signs of some rows
/// reversed, say, a model fits a part of T to rounding, and its opposite another part.

#include "algorithms/robust_cp/core/dense_core.hpp"
#include "engine/engine.hpp"

namespace sunder::robust {

/// Rows of factors of which less than half the slice is fitted (`slices`, for each mode), the
/// weakest 64 of each mode, such that another row fits a good part of the entries that this one
/// does not: more than a fifth, and more than by accident.
int contradicted_rows(Engine& engine, const Factors& factors,
                      const std::vector<SliceStatistics>& slices, double level, Rng& rng,
                      Monitor& monitor);

}  // namespace sunder::robust
