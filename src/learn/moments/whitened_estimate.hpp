#pragma once
/// The plain method of moments: whitening by M2, the orthogonal components of the whitened M3 by
/// power iterations, and the transformation back (Anandkumar et al. 2014, Algorithm 1 and Theorem
/// 4.3).

#include <optional>

#include "sunder/core/cp_model.hpp"
#include "sunder/core/rng.hpp"

namespace sunder {

/// M2 = U U', M3 = sum_k lambda_k u_k o u_k o u_k.
struct MomentFactors {
  Matrix directions;  ///< U
  Vector cubes;       ///< lambda
};

/// Returns the estimate, or nullopt if M2 has fewer than `rank` positive eigenvalues.
std::optional<MomentFactors> whitened_estimate(const Matrix& second, const Matrix& third, int rank,
                                               Rng& rng);

/// v_k and lambda_k of a tensor sum_k lambda_k v_k o v_k o v_k, r x r^2, with orthonormal v_k.
struct OrthogonalComponents {
  Matrix vectors;
  Vector values;
};
OrthogonalComponents orthogonal_components(const Matrix& tensor, Rng& rng);

/// Computes T(W, W, W) of a symmetric tensor stored as n x n^2; the result is r x r^2.
Matrix contracted(const Matrix& third, const Matrix& w);

}  // namespace sunder
