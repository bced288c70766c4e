#pragma once
/// Rows of the factors that a rival could beat, and their comparison by samples of their slices.

#include "algorithms/cp/mode_constraints.hpp"
#include "algorithms/robust_cp/core/sampling.hpp"

namespace sunder::robust {

/// Rows that a rival could beat. It agrees with a row on the columns of a hyperplane at most, a
/// share `in_hyperplane` of them, and could fit everything that the row does not fit.
std::vector<Index> open_rows(const SliceStatistics& slices, double in_hyperplane);

/// The rows of a mode, those that hold most of S first.
struct RowsOfSparse {
  std::vector<Index> order;
  Index standing_out = 0;  ///< rows that hold far more of it than the usual one
};
RowsOfSparse rows_by_sparse(const SliceStatistics& slices);

struct RowChanges {
  std::vector<Index> rows;
  Matrix coefficients;
  Index ties = 0;  ///< rows for which another one fits as many entries, as far as samples tell
};

/// Looks for rivals of rows of a large tensor on some columns, and compares on others.
class SampledRows {
 public:
  SampledRows(Engine& engine, const Factors& factors, int mode, double scale, double level,
              const ModeConstraints& constraints)
      : engine_(engine),
        factors_(factors),
        mode_(mode),
        scale_(scale),
        level_(level),
        nonnegative_(constraints.nonnegative(mode)) {}

  /// How many of the rows leave entries of which another row fits a good part.
  Index contradicted(const std::vector<Index>& rows, Rng& rng, Monitor& monitor) const;

  RowChanges look(const std::vector<Index>& rows, Rng& rng, Monitor& monitor) const;

 private:
  void look_at(const std::vector<Index>& rows, Rng& rng, Monitor& monitor,
               RowChanges& changes) const;
  RowProblem draw(const std::vector<Index>& rows, Index count, Rng& rng) const;
  void add_columns_of_component(Index component, Rng& rng, std::vector<Index>& columns) const;

  Engine& engine_;
  const Factors& factors_;
  int mode_;
  double scale_;
  double level_;
  bool nonnegative_;
};

}  // namespace sunder::robust
