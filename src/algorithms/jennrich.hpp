#pragma once
/// Simultaneous diagonalisation (Harshman 1970, after Jennrich; Leurgans et al. 1993): the exact CP
/// components of a tensor without noise whose components are linearly independent in two modes, and
/// a good start for CP-ALS with noise.

#include "algorithms/tensor_operator.hpp"
#include "sunder/core/rng.hpp"

namespace sunder {

/// Two passes: one finds bases of the modes from random products, one compresses the tensor to
/// them; the rest is done on the small tensor. Components are random where the rank is larger than
/// the second-longest mode, or where the tensor has fewer.
CpModel jennrich_start(TensorOperator& tensor, int rank, Rng& rng);

}  // namespace sunder
