#pragma once
/// Condition (L) of the paper: L is a sum of orthogonal components, each spread over many entries.
///
///   u_i     unit column i of the factor of a mode, n its length
///   mu      the smallest number with ||u_i||_inf <= mu / sqrt(n), for every i and every mode

#include <vector>

#include "sunder/core/cp_model.hpp"

namespace sunder {

struct Incoherence {
  int rank = 0;
  double mu = 0;  ///< over all modes; from 1 (flat) to the root of the extent (a spike)
  std::vector<double> mu_of_mode;
  double orthogonality_defect = 0;  ///< max |<u_i, u_j>|, i != j, over all modes; 0 for rank 1
  std::vector<double> defect_of_mode;
  double smallest_weight = 0;  ///< smallest weight when columns have unit length; 0 for rank 0
  double largest_weight = 0;

  /// (L) requires <u_i, u_j> = 0; computed factors satisfy it up to a tolerance.
  bool orthogonal(double tolerance = 1e-8) const { return orthogonality_defect <= tolerance; }
  /// Returns true if (L) holds: the components are orthogonal and all weights positive. (L) allows
  /// any mu; (S) bounds it.
  bool condition_holds() const { return rank > 0 && orthogonal() && smallest_weight > 0; }
};

/// Measures the incoherence of a model, which need not be normalised. A column of zeros has no
/// direction and is ignored.
Incoherence measure_incoherence(const CpModel& model);

}  // namespace sunder
