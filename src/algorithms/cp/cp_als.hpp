#pragma once
/// CP decomposition by alternating least squares (Carroll and Chang 1970; Harshman 1970), the P_l
/// of the paper's experiments.

#include "algorithms/cp/mode_constraints.hpp"
#include "algorithms/cp/tensor_operator.hpp"
#include "sunder/core/rng.hpp"

namespace sunder {

struct CpAlsOptions {
  int max_sweeps = 50;      ///< updates of every factor in turn; each costs one pass for each mode
  double tolerance = 1e-4;  ///< stop when a sweep moves the model by less than this, relatively
};

/// Starts from the components of `start`, whose number is the rank. The result is normalised, the
/// heaviest component first; for a matrix it holds the singular
/// vectors.
CpModel cp_als(TensorOperator& tensor, CpModel start, const CpAlsOptions& options);

/// The same under constraints: a mode that shares its factor with others is updated for all of them
/// (half way, without which the sweeps could swing), one without negative entries by non-negative
/// least squares. The signs of components that no factor can take go to the last mode.
CpModel constrained_cp_als(TensorOperator& tensor, const CpModel& start,
                           const CpAlsOptions& options, const ModeConstraints& constraints);

/// The same matrix (order 2) by its singular vectors. Matrices have no unique CP components: of all
/// factorisations with the same product this is the one whose leading components are the best fit
/// of lower rank.
CpModel with_singular_vectors(const CpModel& model);

/// The factor of one mode that fits best beside the others. One pass.
Matrix best_factor(TensorOperator& tensor, const std::vector<Matrix>& factors, int mode);

/// The best of several runs, the first from jennrich_start, the others from random components.
CpModel best_cp_als(TensorOperator& tensor, int rank, int starts, const CpAlsOptions& options,
                    Rng& rng);

/// `model` with random components added until it has `rank` of them. Their weight is 1, their
/// columns are random directions.
CpModel with_random_components(const CpModel& model, int rank, Rng& rng);

}  // namespace sunder
