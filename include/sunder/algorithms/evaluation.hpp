#pragma once
/// How far a decomposition is from a known truth.

#include "sunder/algorithms/decomposition.hpp"
#include "sunder/core/matching.hpp"

namespace sunder {

struct Evaluation {
  double error_low_rank = 0;  ///< ||L - L*||_F / ||L*||_F
  SupportScore support;       ///< of S against S*
  ComponentMatch components;  ///< each component of L* against the best of L
};

/// Throws InputError if the shapes differ.
Evaluation evaluate(const Decomposition& result, const CpModel& true_low_rank,
                    const SparseTensor& true_sparse);
/// All but the support of S.
Evaluation evaluate_low_rank(const Decomposition& result, const CpModel& true_low_rank);

}  // namespace sunder
