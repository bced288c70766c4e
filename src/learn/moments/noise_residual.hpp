#pragma once
/// The part of a network's covariance that remains unexplained, without the chance effects of its
/// hidden variables.

#include "sunder/core/cp_model.hpp"

namespace sunder {

/// Removes the chance correlations of hidden variables from a residual. In a sample the hidden
/// variables are slightly correlated with each other and with the noise. With x = U h + z this adds
/// U A' + A U' to the covariance, for some A (variables x hidden); it is about as large as all
/// other sampling noise and says nothing about Sigma. Returns R - U A' - A U' with the A that
/// minimises its off-diagonal entries, by least squares where `weights` (symmetric, variables x
/// variables) are positive, row by row until it converges.
Matrix without_hidden_fluctuations(const Matrix& R, const Matrix& U, const Matrix& weights);

}  // namespace sunder
