#pragma once
/// What the entries that a model does not fit to rounding have in common. Errors in the data have
/// nothing in common. Where the outliers have, the model is incomplete or wrong.

#include <optional>

#include "algorithms/robust_cp/core/dense_core.hpp"
#include "sunder/core/sparse_tensor.hpp"

namespace sunder::robust {

/// T - L where it is at least `level`; the other entries count as missing.
DenseCore outliers_of(const DenseCore& core, const Factors& factors, double level);

/// The component that fits most of the outliers, or zero if there is none. Rows that depend on a
/// few outliers alone are zero.
Factors component_of_outliers(const DenseCore& outliers, double level, Rng& rng, Monitor& monitor);

/// Whether two slices of the outliers are proportional to each other in more entries than accident
/// explains, as the slices of a component are that was not found. `tolerance`: what rounding does
/// to the ratio of two entries.
bool has_proportional_rows(const DenseCore& outliers, double tolerance);

/// The same for a list of outliers; nullopt if there are too many to look at.
std::optional<bool> has_proportional_rows(const SparseTensor& outliers, double tolerance);

/// How many times the usual share of entries must be fitted. It is 1 where outliers have nothing in
/// common, 2 where many have the value of another one, as in copied slices, and 3 where many have
/// one value, as whole numbers do, which a wrong model fits by accident.
double evidence_needed(const DenseCore& outliers, double tolerance);

}  // namespace sunder::robust
