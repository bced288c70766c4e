#pragma once
/// Which entries are in S under a noise model, and how sure that is.

#include <optional>

#include "algorithms/robust_cp/inference/error_rates.hpp"
#include "algorithms/robust_cp/noise/refine.hpp"
#include "sunder/algorithms/inference.hpp"

namespace sunder::robust {

struct SparseRuleOptions {
  double fdr = 0.05;  ///< of the entries of S, the share that may be noise
  double width = 0;   ///< not 0: S is where residuals have so many standard deviations
  double least = 0;   ///< smaller residuals are never in S
};

class SparseRule {
 public:
  /// Takes the counts of residuals from the last pass of the fit.
  SparseRule(const NoisyFit& fit, const SparseRuleOptions& options);

  /// `variance` is that of the noise of the entry, `inlier` its P(inlier) under the noise model.
  bool is_error(double residual, double variance, double inlier) const;
  /// The least level at which the entry is in S.
  double q(double residual, double variance, double inlier) const;
  FalseDiscoveries summary() const;

 private:
  SparseRuleOptions options_;
  std::optional<ErrorRates> rates_;  ///< none where z has no null distribution
  double most_inlier_ = 0;           ///< of P(inlier), where there are no rates
};

}  // namespace sunder::robust
