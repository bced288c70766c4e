#pragma once
/// A low-rank model whose rows have a normal prior in every mode. Its mean and covariance are
/// estimated from the rows and from what is not known of them (empirical Bayes, by variational
/// sweeps): rows known from few entries stay near the others, and components that nothing speaks
/// for vanish. It is the model of Bayesian Gaussian CP (Chen, He and Sun 2019) without its sampler.

#include "algorithms/robust_cp/core/dense_core.hpp"
#include "sunder/algorithms/constraints.hpp"

namespace sunder::robust {

struct RowPosteriorFit {
  Factors factors;  ///< means of the rows
  Entries weights;  ///< 0 where an entry is missing or an isolated error
};

/// From random rows. The core should have entries near one.
RowPosteriorFit fit_row_posteriors(const DenseCore& core, int rank, const SmoothModes& smooth,
                                   Rng& rng, Monitor& monitor);

}  // namespace sunder::robust
