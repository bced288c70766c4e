#pragma once
/// What is known about how sure a result is.

#include <limits>
#include <string>
#include <vector>

#include "sunder/core/cp_model.hpp"

namespace sunder {

/// How the entries of S were told from noise. A residual over the standard deviation of its noise
/// is called z.
struct FalseDiscoveries {
  bool known = false;   ///< false where S was found by another rule
  double level = 0;     ///< the share of false entries of S that was asked for, at most
  double expected = 0;  ///< the share that is to be expected
  /// The distribution of z under noise alone: Student's t with these degrees of freedom (infinite:
  /// normal), times `null_scale`.
  double null_scale = 1;
  double null_degrees = std::numeric_limits<double>::infinity();
  double null_share = 1;  ///< of the entries whose residual is noise
};

/// Standard errors under noise. They hold if the fit is the right one.
struct StandardErrors {
  bool known = false;
  std::vector<Matrix> factors;  ///< of the columns of the factors, which have length one
  Vector weights;
  /// Of the unknowns: the rows of all factors, each column times the d-th root of its weight, mode
  /// by mode, row by row. Empty where it would be too large.
  Matrix covariance;
  std::string remark;  ///< what does not hold, in words
};

/// One fit of the study of ranks, on a core.
struct RankRecord {
  int rank = 0;
  double nats = 0;         ///< - log density for each entry
  double description = 0;  ///< nats of all entries and of the unknowns
  double consistency = 0;  ///< core consistency in percent, without what noise takes off
  double agreement = 0;    ///< least cosine of components between two starts; NaN: one start
  double halves = 0;       ///< the same between fits of two halves; NaN: not tried
  double held_out = 0;     ///< nats for each entry of one half under the fit of the other
  int boxes = 0;           ///< components that are blocks
  double outlier_share = 0;
  double sigma = 0;  ///< of the noise, in the unit of the data
};

struct RankStudy {
  std::vector<RankRecord> records;  ///< of ascending ranks; empty if the rank was not studied
  int recommended = 0;
  std::string reason;  ///< in one sentence
  double seconds = 0;
};

}  // namespace sunder
