#pragma once
/// Which component of one model is which of another: CP components have no order of their own.

#include <vector>

#include "sunder/core/cp_model.hpp"

namespace sunder {

struct ComponentMatch {
  std::vector<int> partner;  ///< partner[i]: the component of the other model matched with i, or -1
  std::vector<double> cosine;  ///< |cos| between the two as tensors, 0 where unmatched
};

/// The one-to-one matching that maximises the sum of the cosines. The result has an entry for
/// every component of `model`.
ComponentMatch match_components(const CpModel& model, const CpModel& other);

/// The assignment of rows to columns with the largest total value (Kuhn 1955, in the O(n^3) form
/// with potentials). One column per row, -1 for rows left over when there are more rows.
std::vector<int> best_assignment(const Matrix& value);

}  // namespace sunder
