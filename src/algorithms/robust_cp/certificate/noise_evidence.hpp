#pragma once
/// What the verdicts `consistent` and `reproducible` rest on: figures of a fit under noise,
/// gathered on a part of the tensor (inference/verdict). z is a residual over its standard
/// deviation.

namespace sunder::robust {

struct NoiseEvidence {
  bool known = false;  ///< false: the part did not allow to gather it

  // Whether the components come back.
  double match = 0;  ///< least cosine between a component and that of a fit of half of the entries
  double cold = 0;   ///< the same for the better one of two cold starts on halves
  double chip = 0;   ///< squared distance of the halves over what standard errors predict
  double hold = 0;   ///< quartile of |z| on entries that a half did not see, over that on its own

  // Whether they are components.
  double consistency = 0;  ///< core consistency, percent
  double box = 0;          ///< squared cosine of a component with a block, the largest
  double gain = 0;         ///< what a component explains over its description, the smallest
  double imprecision = 0;  ///< predicted 1 - cosine^2 of a column, the largest
  double further = 0;      ///< nats for each unknown that one more component saves; 0: it is none

  // Whether noise explains what is left.
  double structure = 0;      ///< spectral norm of the inliers' residuals over that of noise
  double shape = 0;          ///< distance of the shares of |z| up to 1.5 from those of the noise
  double slice_mean = 0;     ///< largest mean of a slice of residuals, in standard deviations
  double poorest_slice = 0;  ///< share of inliers over that of the median slice, the smallest
  double outliers = 0;       ///< share of the entries that are errors
};

}  // namespace sunder::robust
