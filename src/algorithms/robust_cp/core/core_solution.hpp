#pragma once

#include "algorithms/robust_cp/certificate/determinacy.hpp"
#include "algorithms/robust_cp/core/algebra/factors.hpp"

namespace sunder::robust {

/// A robust CP of a core, and what is known about it.
struct CoreSolution {
  Factors factors;
  double sigma = 0;        ///< standard deviation of the inliers
  double spread = 0;       ///< of the data; the unit of every tolerance
  bool exact = false;      ///< enough entries are fitted to rounding by a model they overdetermine
  double exact_share = 0;  ///< share of the entries, where the model is alive, fitted to rounding
  Determinacy determinacy = Determinacy::not_asked;  ///< whether other models fit as well
  bool whole = true;           ///< exact, and no further component shows among the outliers
  double evidence_needed = 1;  ///< exact: see outliers.hpp
  bool noise_like = false;     ///< the inliers' residuals are small and spread as normal ones are
  int starts = 0;              ///< rungs of the ladder that were tried

  /// The fitted entries determine the factors.
  bool determined() const { return determinacy == Determinacy::determined; }
  /// The fitted entries determine L, though perhaps not its factors.
  bool determines_low_rank() const {
    return determined() || determinacy == Determinacy::open_factors;
  }
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

}  // namespace sunder::robust
