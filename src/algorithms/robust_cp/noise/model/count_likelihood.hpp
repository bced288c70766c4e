#pragma once
/// The likelihood of counts: a Poisson distribution whose mean is L, and gross errors that lie
/// evenly over their range. For small counts a normal density is no substitute, because the long
/// tail of the counts would be taken for errors, and L would be too small.

#include "algorithms/robust_cp/noise/model/likelihood.hpp"

namespace sunder::robust {

/// The unit of which all entries of a core are whole, non-negative and mostly small multiples, and
/// which is itself an entry; 0 if there is none.
double unit_of_counts(const DenseCore& core);

/// The noise of counts of this unit. The range of the errors is that of the entries.
NoiseModel noise_of_counts(const DenseCore& core, const Factors& factors, double unit);

/// As likelihood_sums, for a noise with a `count_unit`. Sums by |L| and counts of residuals stay
/// empty. Needs about 40 flops for each entry beside the products.
LikelihoodSums count_likelihood_sums(const DenseCore& block, const Factors& factors,
                                     const NoiseModel& noise, EntryWeights* weights);

}  // namespace sunder::robust
