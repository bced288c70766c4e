#pragma once
/// A model as the solver of a core changes it: factors alone, without weights.

#include <vector>

#include "sunder/core/cp_model.hpp"

namespace sunder::robust {

using Factors = std::vector<Matrix>;  ///< weights are folded in: L = sum of products of columns

CpModel as_model(const Factors& factors);

/// Columns of equal length in every mode.
void balance(Factors& factors);
double norm(const Factors& factors);
/// Norms of the single components.
Eigen::ArrayXd component_sizes(const Factors& factors);
double distance(const Factors& a, const Factors& b);

/// The factors after a step.
Factors stepped(Factors factors, const Factors& delta);

/// Khatri-Rao product of all factors but `skip`, the last mode fastest.
Matrix khatri_rao_of_others(const Factors& factors, int skip);

}  // namespace sunder::robust
