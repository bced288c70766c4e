#pragma once
/// Procedure 1 of the paper (GradAscent): the leading eigenpairs of a symmetric order-3 tensor, by
/// power iterations from many starts, deflation, and gradient ascent on the tensor itself.

#include <vector>

#include "algorithms/paper/symmetric_form.hpp"
#include "sunder/core/rng.hpp"

namespace sunder {

struct GradAscentOptions {
  int restarts = 10;          ///< N1: starts of each component
  int svd_iterations = 10;    ///< power iterations for the top singular vector of T(I, I, theta)
  int power_iterations = 10;  ///< N2
  double shift = 0;           ///< alpha: v <- T(I, v, v) + alpha v, in the units of T
  double tolerance = 1e-13;   ///< of T(I, v, v) = lambda v, relative to lambda
  int max_iterations = 500;   ///< of the gradient ascent
};

struct Eigenpairs {
  Vector values;          ///< lambda_j, the largest first
  Matrix vectors;         ///< v_j in columns, of unit length
  CpModel components;     ///< the part of the tensor that each pair stands for, in the same order
  bool converged = true;  ///< all pairs met the tolerance
  /// For each iteration of the ascent, max_j |T(I, v, v) - lambda |v|^2 v| / lambda_j.
  std::vector<double> residuals;
};
template <class Archive>
void describe(Archive& archive, Eigenpairs& pairs) {
  archive(pairs.values);
  archive(pairs.vectors);
  archive(pairs.components);
  archive(pairs.converged);
  archive(pairs.residuals);
}

/// `rank` pairs, or fewer where nothing is left. T(I, v, v) = lambda v holds for the tensor as it
/// is, perturbations included.
Eigenpairs grad_ascent(TensorOperator& tensor, const SymmetricForm& form, int rank,
                       const GradAscentOptions& options, Rng& rng);

}  // namespace sunder
