#pragma once
/// Removal of corrupted entries from moments: estimate from the kept entries, keep the entries that
/// fit, and repeat.

#include <vector>

#include "learn/moments/whitened_estimate.hpp"
#include "sunder/learn/moment_model.hpp"

namespace sunder {

/// The scaled moments; the caller owns the matrices.
struct ScaledMoments {
  const Matrix& second;
  const Matrix& third;
};

/// The spread of the residuals, and the limit from which on a residual counts as corruption.
struct NoiseLevel {
  double sigma = 0;
  double limit = 0;
};

struct CleanedFit {
  MomentFactors factors;
  NoiseLevel second, third;
  int rounds = 0;
  bool settled = false;  ///< the model has converged
  bool cancelled = false;
};

/// Replaces every entry that is further from the model than the limit by the model's own, so that
/// it has no influence, and applies the plain estimator to the result. The limit falls from four
/// times options.width standard deviations to that width, because the start is inexact.
CleanedFit clean_moments(const ScaledMoments& moments, MomentFactors start,
                         const MomentOptions& options);

/// Computes sum_k lambda_k u_k o u_k o u_k as an n x n^2 matrix.
Matrix third_of(const MomentFactors& factors);

/// The expected deviation of an entry from the model, up to a factor: 1, or the square root of the
/// entry, bounded below by a share of the mean entry.
class EntrySpread {
 public:
  EntrySpread(MomentNoise noise, const Matrix& model);
  double operator()(double entry) const;

 private:
  bool counts_;
  double floor_;
};

/// Computes the truncated mean squares of both moments' residuals, with limits that are the same
/// for all compared models.
double truncated_loss(const ScaledMoments& moments, const MomentFactors& factors, double second,
                      double third, MomentNoise noise);

}  // namespace sunder
