#pragma once
/// The columns of the factors of a planted tensor, before their rows are thinned out and their
/// lengths are set.

#include "data/planted_streams.hpp"
#include "sunder/data/planted.hpp"

namespace sunder {

/// Draws one factor. Columns of Gaussian and non-negative factors are drawn one after the other, so
/// that a higher rank only adds columns.
Matrix planted_columns(const PlantedOptions& options, int mode, Purpose purpose);

/// Multiplies a twentieth of the rows by options.heavy.
void make_rows_heavy(const PlantedOptions& options, int mode, Purpose purpose, Matrix& columns);

/// Returns the orthonormal basis of the columns' span whose R has a positive diagonal. For Gaussian
/// columns this is a uniformly distributed frame (Mezzadri 2007).
Matrix orthonormalised(const Matrix& columns);

/// Returns `count` of the numbers 0 .. extent - 1 in ascending order, chosen at random.
std::vector<Index> random_subset(Index extent, Index count, Rng random);

}  // namespace sunder
