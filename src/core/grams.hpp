#pragma once
/// Gram matrices of factors: all that products of CP models need, whatever the size of the tensor.

#include <vector>

#include "sunder/core/cp_model.hpp"

namespace sunder {

/// A'A.
Matrix gram_of(const Matrix& factor);

/// The entry-wise product of the Grams of every factor but one: the matrix of the normal equations
/// for the factor that is left out.
Matrix gram_product_of_others(const std::vector<Matrix>& factors, std::size_t skip);

}  // namespace sunder
