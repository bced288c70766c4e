#pragma once
/// The search for a model that fits more of T, from a candidate on.

#include "algorithms/robust_cp/certificate/tensor_fit.hpp"
#include "algorithms/robust_cp/run_context.hpp"

namespace sunder::robust {

/// A candidate that no move improves any more, and what the search says about it.
struct Improved {
  Candidate candidate;
  SearchReport report;
};

/// Improves an exact candidate. `fit` is that of a pass with the candidate; where a move was taken
/// another pass replaces it.
Improved improve(RunContext& context, const Candidate& candidate, double level, TensorFit& fit);

}  // namespace sunder::robust
