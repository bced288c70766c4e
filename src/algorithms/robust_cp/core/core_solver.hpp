#pragma once
/// Robust CP of a core, with a verdict on whether it was solved exactly.

#include "algorithms/cp/mode_constraints.hpp"
#include "algorithms/robust_cp/certificate/determinacy.hpp"
#include "algorithms/robust_cp/core/dense_core.hpp"

namespace sunder::robust {

struct CoreSolution {
  Factors factors;
  double sigma = 0;        ///< standard deviation of the inliers
  double spread = 0;       ///< of the data; the unit of every tolerance
  bool exact = false;      ///< enough entries are fitted to rounding by a model they overdetermine
  double exact_share = 0;  ///< share of the entries, where the model is alive, fitted to rounding
  Determinacy determinacy = Determinacy::open_factors;  ///< whether other models fit as well
  bool whole = true;           ///< exact, and no further component shows among the outliers
  double evidence_needed = 1;  ///< exact: see outliers.hpp
  bool noise_like = false;     ///< the inliers' residuals are small and spread as normal ones are
  int starts = 0;              ///< rungs of the ladder that were tried

  bool determined() const { return determinacy == Determinacy::determined; }
};

template <class Archive>
void describe(Archive& archive, CoreSolution& solution) {
  archive(solution.factors);
  archive(solution.sigma);
  archive(solution.spread);
  archive(solution.exact);
  archive(solution.exact_share);
  archive(solution.determinacy);
  archive(solution.whole);
  archive(solution.evidence_needed);
  archive(solution.noise_like);
  archive(solution.starts);
}

/// A residual below this many spreads is rounding, one above the next number is an outlier; an
/// exact solution has hardly anything in between.
inline constexpr double rounding_level = 1e-6;
inline constexpr double outlier_level = 1e-4;

/// Whether the entries that a pass fitted have residuals of rounding, as a whole: their root mean
/// square is at most a fifth of `level` in units of that of L. Where S is far larger than L, noise
/// of L can be below `level` in units of the data.
bool is_fitted_to_rounding(const Factors& factors, const PassStatistics& fitted, double level);

struct CoreOptions {
  bool reduce = true;        ///< to fewer components, where those given share what fewer could do
  int rungs = 3;             ///< starts to try, from the cheapest to the most patient
  bool until_noise = false;  ///< no further start once what remains looks like noise
  double ratio_rounding = 1e-7;  ///< what rounding does to the ratio of two entries, at most
  /// Modes that share a factor have equal index sets.
  ModeConstraints constraints = {};
};

CoreSolution solve_core(const DenseCore& core, int rank, const CoreOptions& options, Rng& rng,
                        Monitor& monitor);

}  // namespace sunder::robust
