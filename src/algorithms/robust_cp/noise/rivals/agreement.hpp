#pragma once
/// Which of several fits of a core is the answer, and what the others say about it.

#include "algorithms/robust_cp/noise/noisy_core.hpp"
#include "algorithms/robust_cp/noise/tournament.hpp"

namespace sunder::robust {

/// Compares a fit that is no better than the solution with it: it has the same L, or it is a rival.
/// Only a start that did not begin at another one's fit counts as an agreement.
void note_other(const DenseCore& core, const Contender& other, const NoisyFit& best,
                NoisySolution& solution);

/// Takes the fit if it is better than the solution. Either way, the other one is noted.
void weigh(const DenseCore& core, Contender contender, NoisySolution& solution);

}  // namespace sunder::robust
