#pragma once
/// The same sums by plain array operations in double precision: the oracle of the fast pass.

#include "algorithms/robust_cp/noise/model/likelihood.hpp"

namespace sunder::robust::reference {

LikelihoodSums likelihood_sums(const DenseCore& block, const Factors& factors,
                               const NoiseModel& noise, EntryWeights* weights = nullptr);

}  // namespace sunder::robust::reference
