#pragma once
/// What a network's covariance leaves unexplained, without what its hidden variables may have done
/// by chance.

#include "sunder/core/cp_model.hpp"

namespace sunder {

/// In a sample the hidden variables are a little correlated with each other and with the noise.
/// With x = U h + z that adds U A' + A U' to the covariance, for some A (variables x hidden), which
/// is about as large as all else that the sample adds, and says nothing about Sigma. Returns R -
/// U A' - A U' with the A that makes its entries off the diagonal smallest, by least squares where
/// `weights` (symmetric, variables x variables) are positive, row by row until nothing moves.
Matrix without_hidden_fluctuations(const Matrix& R, const Matrix& U, const Matrix& weights);

}  // namespace sunder
