#pragma once
/// The distance of learned components from the true ones. Components have no order of their own, so
/// they are matched first (Kuhn 1955).

#include <vector>

#include "sunder/core/cp_model.hpp"

namespace sunder {

struct ComponentScore {
  double mean_error = 0;      ///< mean over the components
  std::vector<int> partner;   ///< for each component found, its partner in the truth
  std::vector<double> error;  ///< for each component found
};

enum class ColumnDistance {
  l1,         ///< sum of absolute differences, at most 2; for distributions
  euclidean,  ///< for means
};

/// Matches the columns, which are the components, and scores them. Throws InputError if the shapes
/// differ.
ComponentScore score_components(const Matrix& found, const Matrix& truth, ColumnDistance distance);

}  // namespace sunder
