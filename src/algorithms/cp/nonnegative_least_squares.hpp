#pragma once
/// Least squares without negative coefficients, for a few unknowns.

#include "sunder/core/cp_model.hpp"

namespace sunder {

/// The x >= 0 that minimises x'Nx / 2 - b'x, N positive definite: the active-set method of Lawson
/// and Hanson on the normal equations (Bro and De Jong 1997). Exact up to rounding.
Vector nonnegative_solution(const Matrix& N, const Vector& b);

/// The same for each row of X, with the rows of the right side: X N = B as nearly as can be.
Matrix nonnegative_rows(const Matrix& normal, const Matrix& right_side);

}  // namespace sunder
