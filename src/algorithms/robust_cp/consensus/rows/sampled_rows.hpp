#pragma once
/// Rows of the factors of a large tensor, compared with others by samples of their slices.

#include "algorithms/cp/mode_constraints.hpp"
#include "algorithms/robust_cp/consensus/rows/rival_rows.hpp"
#include "algorithms/robust_cp/core/sampling.hpp"

namespace sunder::robust {

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

  /// Rows that fit more than those of the list, each of which fits at least `fitted_share` of its
  /// slice. Most rows need a few columns only, which show that they have no rival.
  RowChanges look(const std::vector<Index>& rows, double fitted_share, Rng& rng,
                  Monitor& monitor) const;

 private:
  void look_at(const std::vector<Index>& rows, double fitted_share, Rng& rng, Monitor& monitor,
               RowChanges& changes) const;
  std::vector<Index> promising(const std::vector<Index>& rows, double fitted_share, Rng& rng,
                               Monitor& monitor) const;
  Rivals rivals_on(const RowProblem& problem, const Matrix& present, Rng& rng,
                   Monitor& monitor) const;
  RowProblem draw(const std::vector<Index>& rows, Index count, Rng& rng) const;
  void add_columns_of_component(Index component, Index count, Rng& rng,
                                std::vector<Index>& columns) const;

  Engine& engine_;
  const Factors& factors_;
  int mode_;
  double scale_;
  double level_;
  bool nonnegative_;
};

}  // namespace sunder::robust
