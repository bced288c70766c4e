#pragma once
/// Moments without their corrupted entries: estimate from what is kept, keep what fits, repeat.

#include <vector>

#include "learn/moments/whitened_estimate.hpp"
#include "sunder/learn/moment_model.hpp"

namespace sunder {

/// Moments after scaling; the matrices are the caller's.
struct ScaledMoments {
  const Matrix& second;
  const Matrix& third;
};

/// Residuals in units of their own spread, and the limit from which on they are corruption.
struct NoiseLevel {
  double sigma = 0;
  double limit = 0;
};

struct CleanedFit {
  MomentFactors factors;
  NoiseLevel second, third;
  int rounds = 0;
  bool settled = false;  ///< the model no longer moves
  bool cancelled = false;
};

/// An entry that is further from the model than the limit is replaced by the model's own, so that
/// it has no say, and the plain estimator is applied to the result. The limit comes down to
/// options.width standard deviations from four times that, since the start is not exact.
CleanedFit clean_moments(const ScaledMoments& moments, MomentFactors start,
                         const MomentOptions& options);

/// sum_k lambda_k u_k o u_k o u_k as n x n^2.
Matrix third_of(const MomentFactors& factors);

/// How far an entry may be from the model before that means something: 1, or the square root of
/// the entry, kept away from zero by a share of the mean entry.
class EntrySpread {
 public:
  EntrySpread(MomentNoise noise, const Matrix& model);
  double operator()(double entry) const;

 private:
  bool counts_;
  double floor_;
};

/// Truncated mean squares of both moments' residuals, at limits that are the same for all models
/// that are compared.
double truncated_loss(const ScaledMoments& moments, const MomentFactors& factors, double second,
                      double third, MomentNoise noise);

}  // namespace sunder
