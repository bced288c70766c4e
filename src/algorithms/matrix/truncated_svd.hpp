#pragma once
/// Leading singular vectors of a matrix that can only be multiplied with (an order-2
/// TensorOperator), by block iteration (subspace iteration) with a Rayleigh-Ritz step.

#include "algorithms/cp/tensor_operator.hpp"
#include "sunder/core/rng.hpp"

namespace sunder {

/// A ~ left diag(values) right^T, orthonormal columns, largest value first. More columns than are
/// wanted make the wanted ones converge faster: their error falls with (sigma_{b+1} / sigma_k)^2
/// for each two products, b being the number of columns.
struct SingularTriplets {
  Matrix left;
  Vector values;
  Matrix right;
  int next_side = 0;  ///< 0: the next product is A right, which renews `left`; 1: A^T left

  Index columns() const { return values.size(); }
  /// The first `rank` triplets as a model of order 2.
  CpModel leading(Index rank) const;
};

/// The length of the longest row of a matrix of singular vectors.
double longest_row(const Eigen::Ref<const Matrix>& vectors);

/// A random start of `columns` columns, at most the shorter side of the shape.
SingularTriplets random_triplets(const Shape& matrix, Index columns, Rng& rng);

struct TruncatedSvdOptions {
  Index leading = 1;         ///< triplets whose residual decides when to stop
  double tolerance = 1e-13;  ///< residual, relative to the largest singular value, that is enough
  double reduction = 1e-2;   ///< or this share of the residual that the start had
  int max_products = 20;     ///< products with A or its transpose; each costs a pass
};

/// Improves `triplets` in place, so that those of a nearby matrix are a warm start. Returns the
/// residual ||A v_i - sigma_i u_i|| (or its transpose) over the leading triplets before the last
/// product improved them: a bound on what is still to be gained.
double refine(TensorOperator& matrix, SingularTriplets& triplets,
              const TruncatedSvdOptions& options);

}  // namespace sunder
