#pragma once
/// Rows of the factors that a rival could beat, and rows that hold much of S.

#include <vector>

#include "engine/pass/pass.hpp"

namespace sunder::robust {

/// Rows that a rival could beat. It agrees with a row on the columns of a hyperplane at most, a
/// share `in_hyperplane` of them, and could fit everything that the row does not fit. It has to be
/// behind by more entries than there are components, since any row fits as many.
std::vector<Index> open_rows(const SliceStatistics& slices, Index rank, double in_hyperplane);

/// The share of its slice that the poorest of these rows fits.
double least_fitted_share(const SliceStatistics& slices, const std::vector<Index>& rows);

/// The rows of a mode, those that hold most of S first.
struct RowsOfSparse {
  std::vector<Index> order;
  Index standing_out = 0;  ///< rows that hold far more of it than the usual one
};
RowsOfSparse rows_by_sparse(const SliceStatistics& slices);

}  // namespace sunder::robust
