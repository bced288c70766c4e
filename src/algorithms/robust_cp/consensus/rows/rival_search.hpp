#pragma once
/// The search for a rival of one row of a factor: another row that fits more entries of its slice.

#include <utility>
#include <vector>

#include "algorithms/robust_cp/consensus/rows/rival_rows.hpp"
#include "algorithms/robust_cp/rows/row_regression.hpp"
#include "sunder/core/rng.hpp"

namespace sunder::robust {

/// One row at a time; a thread's room for it.
class RivalSearch {
 public:
  RivalSearch(const SharedDesign& shared, const RivalOptions& options);

  /// Looks at a row: what the present one fits, and which entries it leaves.
  void begin(Index row, const Vector& present);

  /// Tries the change of each single coefficient that most entries vote for, the row without one
  /// component or without any, and rows through a few entries, of those that are left and of all.
  void look_around(Rng& rng);

  /// Compares a candidate after least squares on what it fits, or nearly fits.
  void consider(const Vector& candidate);

  const Vector& best() const { return best_; }
  Index fitted() const { return fitted_; }          ///< by the present row
  Index best_count() const { return best_count_; }  ///< 0 if no rival was found
  Index gained() const;                             ///< entries that only the rival fits
  double share_to_beat() const;  ///< of the entries that are left: a rival fits as many of them

 private:
  Index rank() const { return problem_.rank(); }
  bool is_seen(Index column) const { return observed_ == nullptr || observed_[column] > 0; }
  Index count_fitted(const Vector& a);
  void try_along(Index k);
  double densest_vote();
  Vector best_through_draws(const std::vector<Index>& among, Rng& rng) const;
  Vector refined(Vector a, const double* widths, std::size_t count);
  void compare(const Vector& a);
  bool differs(const Vector& a) const;

  const SharedDesign& shared_;
  const RowProblem& problem_;
  const RivalOptions& options_;
  const Matrix by_column_;  ///< K', so that a column of the design is contiguous
  const double* y_ = nullptr;
  const double* observed_ = nullptr;
  Vector present_;
  Vector residual_;  ///< of the present row
  Index fitted_ = 0;
  std::vector<Index> seen_;
  std::vector<Index> left_;
  std::vector<std::pair<double, double>> votes_;  ///< and the half width of each
  Vector r_;
  Vector w_;
  Matrix normal_;
  Vector gradient_;
  Vector best_;
  Index best_count_ = 0;
};

}  // namespace sunder::robust
