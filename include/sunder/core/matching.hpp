#pragma once
/// Matching of the components of two models, because CP components have no order of their own.

#include <vector>

#include "sunder/core/cp_model.hpp"

namespace sunder {

struct ComponentMatch {
  std::vector<int> partner;    ///< the component of the other model that matches component i, or -1
  std::vector<double> cosine;  ///< |cos| between the two as tensors; 0 where unmatched
};

/// Finds the one-to-one matching that maximises the sum of the cosines. The result has one entry
/// for every component of `model`.
ComponentMatch match_components(const CpModel& model, const CpModel& other);

/// Finds the assignment of rows to columns with the largest total value (Kuhn 1955, in the O(n^3)
/// form with potentials). Returns one column per row, or -1 for a row without a column when there
/// are more rows than columns.
std::vector<int> best_assignment(const Matrix& value);

}  // namespace sunder
