#pragma once
/// Other rows of a factor, compared with the present ones by the number of entries that they fit.

#include <vector>

#include "algorithms/robust_cp/rows/row_problem.hpp"

namespace sunder::robust {

struct RivalOptions {
  double level = 0;          ///< an entry is fitted where |residual| is below this
  bool nonnegative = false;  ///< no coefficient may be negative
  int threads = 1;
};

/// For each row of a problem: the best row found that gives another L. The two are compared by the
/// entries that only one of them fits.
struct Rivals {
  Matrix coefficients;
  std::vector<Index> fitted;           ///< by the present row
  std::vector<Index> fitted_by_rival;  ///< 0 where no rival was found
  std::vector<Index> gained;           ///< entries that only the rival fits

  bool found(Index row) const { return fitted_by_rival[row] > 0; }
  Index rise(Index row) const { return fitted_by_rival[row] - fitted[row]; }
  /// Entries that only the present row fits.
  Index lost(Index row) const { return gained[row] - rise(row); }
  /// Rows with a rival that could fit as many entries as the present row, on other columns.
  std::vector<Index> promising() const;
};

/// The problem with the entries that these rows fit as missing ones.
RowProblem without_fitted(RowProblem problem, const Matrix& rows, double level);

/// Columns that show whether a row has a rival, where the present row fits this share of them: a
/// rival fits as many, and accident only about as many as there are components.
Index columns_of_first_look(Index rank, double fitted_share);

/// Looks for a rival of each row on all columns of the problem. The candidates: the densest vote
/// along each coordinate, which is the best change of a single coefficient; rows without one
/// component, or without any; robust regression on the entries that the present row does not fit;
/// and rows through a few random entries, of these and of all.
Rivals find_rivals(const RowProblem& problem, const Matrix& present, const RivalOptions& options,
                   Rng& rng, Monitor& monitor);

/// The same, for problems with many columns: a few of them show that most rows have no rival.
Rivals find_rivals_after_first_look(const RowProblem& problem, const Matrix& present,
                                    const RivalOptions& options, Rng& rng, Monitor& monitor);

}  // namespace sunder::robust
