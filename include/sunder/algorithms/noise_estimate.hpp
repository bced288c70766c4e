#pragma once
/// The noise of a tensor as a method estimated it, and how the slices of the tensor compare.

#include <string>
#include <string_view>
#include <vector>

#include "sunder/core/shape.hpp"

namespace sunder {

/// What the variance of the noise may depend on.
enum class NoiseFamily {
  automatic,     ///< the likelihood decides
  gaussian,      ///< on the slices only
  poisson,       ///< and linearly on |L|, as that of counts
  proportional,  ///< and on L^2: the deviation is a share of the signal
  t,             ///< on the slices only, with heavier tails than normal ones
};
std::string_view to_string(NoiseFamily family);  ///< "auto" for the first

/// Whether slices that do not obey the model are listed.
enum class Casewise { on, off };
std::string_view to_string(Casewise casewise);

/// The density of a residual R = T - L:
///     (1 - p) [ (1 - q) N(0, v) + q N(0, 9 v) ] + p f(R),
///     v = sigma^2 a_i b_j c_k (1 + g1 x + g2 x^2),   x = |L| / rms(L).
/// All figures are in the unit of the data.
struct NoiseEstimate {
  bool known = false;        ///< false where L fits to rounding, or the method has no noise model
  std::string family;        ///< the families that were found, such as "proportional, t"
  double sigma = 0;          ///< deviation in the median slice, where L is zero
  double outlier_share = 0;  ///< p
  double wide_share = 0;     ///< q
  double linear_growth = 0;  ///< g1
  double square_growth = 0;  ///< g2
  double signal_size = 0;    ///< rms(L)
  double nats = 0;           ///< - log density for each observed entry
  /// sqrt(a), sqrt(b), ...: for each mode, the deviation of every slice over that of the median
  /// one.
  std::vector<std::vector<double>> slice_deviations = {};
  std::vector<double> edges = {};            ///< of the bins of residuals, ascending
  std::vector<double> outlier_density = {};  ///< f, one number for each bin
};

/// How well the model explains each slice of one mode.
struct SliceQuality {
  std::vector<double> inlier_share;  ///< of the observed entries
  std::vector<double> deviation;     ///< of the inliers, over that of the median slice
  /// The casewise measure: nats by which the description of an entry of this slice is longer than
  /// that of an entry of the median slice.
  std::vector<double> excess;
};

/// A slice that does not obey the model as the others do.
struct FlaggedSlice {
  int mode = 0;
  Index index = 0;
  std::string reason;  ///< "few inliers", "far more noise" or "another model"
  double inlier_share = 0;
  double deviation = 0;
  double excess = 0;
  /// The share of good slices to expect among those of the mode that look at least as bad.
  double q = 0;
};

}  // namespace sunder
