#pragma once
/// Simultaneous diagonalisation (Harshman 1970, after Jennrich; Leurgans et al. 1993): the exact CP
/// components of a tensor without noise whose components are linearly independent in two modes, and
/// a good start for CP-ALS with noise.

#include <optional>
#include <utility>

#include "algorithms/cp/tensor_operator.hpp"
#include "sunder/core/rng.hpp"

namespace sunder {

/// Two passes: one finds bases of the modes from random products, one compresses the tensor to
/// them; the rest is done on the small tensor. Components are random where the rank is larger than
/// the second-longest mode, or where the tensor has fewer.
CpModel jennrich_start(TensorOperator& tensor, int rank, Rng& rng);

/// A and B of two square matrices M = A D B', N = A E B' with D and E diagonal, up to the order and
/// the lengths of their columns. Nothing where N is singular or the eigenvectors of M N^-1 are not
/// independent and real, so that there are no such A and B.
std::optional<std::pair<Matrix, Matrix>> common_components(const Matrix& m, const Matrix& n);

}  // namespace sunder
