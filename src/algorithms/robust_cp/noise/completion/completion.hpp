#pragma once
/// The mean of every entry of a tensor, given those that are known: low-rank models whose rows have
/// a prior, and a field for what they leave.

#include "algorithms/robust_cp/noise/noisy_core.hpp"
#include "sunder/algorithms/constraints.hpp"

namespace sunder::robust {

/// Whether entries are missing and many rows of a mode are known from few entries for each
/// component, so that a fit without a prior follows the noise.
bool has_poor_rows(const DenseCore& core, int rank);

/// Whether a tensor is small enough to be completed.
bool can_be_completed(const Shape& shape);

/// The mean of every entry, over as many fits. Rows of smooth modes follow each other.
Entries complete(const DenseCore& core, const SmoothModes& smooth, int fits, Rng& rng,
                 Monitor& monitor);
Entries complete(const DenseCore& core, const SmoothModes& smooth, Rng& rng, Monitor& monitor);

/// The fit of a core with poor rows: with a prior where that predicts hidden entries better than a
/// fit without one. `completed` becomes the best guess of every entry.
NoisySolution fit_poor_rows(const DenseCore& core, int rank, NoiseFamily family,
                            const SmoothModes& smooth, Rng& rng, Monitor& monitor,
                            Entries& completed);

/// The model of this rank that is nearest to a completed core, and the noise around it.
NoisySolution fit_completed_core(const DenseCore& core, const Entries& completed, int rank,
                                 Rng& rng, Monitor& monitor);

}  // namespace sunder::robust
