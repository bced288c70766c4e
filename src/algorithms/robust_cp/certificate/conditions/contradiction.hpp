#pragma once
/// Whether the entries that a model does not fit agree on other rows of its factors. A model with
/// the signs of some rows reversed, for example, fits one part of T to rounding, and its opposite
/// fits another part.

#include "algorithms/robust_cp/core/dense_core.hpp"
#include "engine/engine.hpp"

namespace sunder::robust {

/// Counts the rows that others contradict: another row fits more than a fifth of the entries that
/// this one does not, and more than by accident. It looks at the 64 weakest rows of each mode, if
/// less than half of their slice is fitted (`slices`, of each mode).
Index contradicted_rows(Engine& engine, const Factors& factors,
                        const std::vector<SliceStatistics>& slices, double level, Rng& rng,
                        Monitor& monitor);

}  // namespace sunder::robust
