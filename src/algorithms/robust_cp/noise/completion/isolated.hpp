#pragma once
/// Errors among the entries of a tensor whose model is still poor: what lies far from its
/// prediction is an error only if the entries around it do not.

#include "algorithms/robust_cp/core/dense_core.hpp"

namespace sunder::robust {

/// The size that |residuals| usually have at each entry: a product of one scale for each slice,
/// from medians. In standard deviations of normal residuals.
Entries usual_sizes(const DenseCore& core, const Entries& residuals);

/// (1 + (residual / (width size))^2)^-1 at the observed entries: no entry is lost at once.
Entries soft_weights(const DenseCore& core, const Entries& residuals, const Entries& sizes,
                     double width);

/// 0 for errors, else 1 at the observed entries. Where most of a fibre seems wrong, it is the model
/// that is.
Entries isolated_weights(const DenseCore& core, const Entries& residuals, const Entries& sizes);

}  // namespace sunder::robust
