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

/// For each row of a problem: the best row found that gives another L, and what both fit.
struct Rivals {
  Matrix coefficients;
  std::vector<Index> fitted;           ///< by the present row
  std::vector<Index> fitted_by_rival;  ///< 0 where no rival was found
};

/// The problem with the entries that these rows fit as missing ones.
RowProblem without_fitted(RowProblem problem, const Matrix& rows, double level);

/// The candidates: the densest vote along each coordinate, which is the best change of a single
/// coefficient; rows without one component, or without any; robust regression on the entries that
/// the present row does not fit; and rows through a few random entries, of these and of all.
Rivals find_rivals(const RowProblem& problem, const Matrix& present, const RivalOptions& options,
                   Rng& rng, Monitor& monitor);

/// The share of the columns k of the design with k'd = 0, for the direction d that has the most of
/// them, as far as random directions and single coordinates show it. A row and its rival agree on
/// such columns.
double share_in_hyperplane(const Matrix& design, Rng& rng);

}  // namespace sunder::robust
