#pragma once
/// What speaks against a component, or for it: core consistency, whether it is a block, and whether
/// other fits have it as well.

#include "algorithms/robust_cp/core/dense_core.hpp"

namespace sunder::robust {

/// Core consistency in percent (Bro and Kiers 2003) of data without errors, such as L where entries
/// are errors or missing. What noise of this mean variance takes off is given back. NaN where it is
/// not defined: for matrices, and for more components than rows.
double core_consistency(const Shape& shape, const Entries& clean, const Factors& factors,
                        double mean_variance);

/// For each component, the squared cosine with its best copy whose entries are zero or constant in
/// every mode. Blocks of errors are such copies. 0 for a component that is constant on nearly all
/// rows of all modes: that is an offset.
Eigen::ArrayXd boxes(const Factors& factors);

/// The least cosine between the components of two models of equal rank, one to one.
double least_match(const Factors& a, const Factors& b);

}  // namespace sunder::robust
