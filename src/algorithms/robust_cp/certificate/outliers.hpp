#pragma once
/// What the entries say that a model does not fit to rounding. Errors in the data have nothing in
/// common; where these have, the model is not the whole truth, or not the truth.

#include <optional>

#include "algorithms/robust_cp/core/dense_core.hpp"
#include "sunder/core/sparse_tensor.hpp"

namespace sunder::robust {

/// T - L where it is at least `level`; the other entries count as missing.
DenseCore outliers_of(const DenseCore& core, const Factors& factors, double level);

/// The component, if there is one, that fits most of the outliers; rows are zero that it has from a
/// few of them alone.
Factors component_of_outliers(const DenseCore& outliers, double level, Rng& rng, Monitor& monitor);

/// Whether two slices of the outliers are proportional to each other in more entries than accident
/// explains, as those of a component are that nobody found. `tolerance`: what rounding does to the
/// ratio of two entries.
bool has_proportional_rows(const DenseCore& outliers, double tolerance);

/// The same of a list of them; nothing if there are too many to look at.
std::optional<bool> has_proportional_rows(const SparseTensor& outliers, double tolerance);

/// By how much more has to be fitted than where outliers have nothing in common: 1; 2 where many
/// have the value of another one, as in copied slices; 3 where some value is that of many, as of
/// whole numbers, which a wrong model fits by accident.
double evidence_needed(const DenseCore& outliers, double tolerance);

}  // namespace sunder::robust
