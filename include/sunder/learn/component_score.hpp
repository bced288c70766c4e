#pragma once
/// How far learned components are from the true ones, each compared with the one it is matched with
/// (Kuhn 1955): components have no order of their own.

#include <vector>

#include "sunder/core/cp_model.hpp"

namespace sunder {

struct ComponentScore {
  double mean_error = 0;      ///< over the components
  std::vector<int> partner;   ///< of each one found, in the truth
  std::vector<double> error;  ///< of each one found
};

enum class ColumnDistance {
  l1,         ///< sum of absolute differences: distributions, at most 2
  euclidean,  ///< means
};

/// Columns are components. Throws InputError if the shapes differ.
ComponentScore score_components(const Matrix& found, const Matrix& truth, ColumnDistance distance);

}  // namespace sunder
