#pragma once
/// Where the fit of a core starts from: a plain CP fit inside the leading subspaces.

#include <vector>

#include "algorithms/robust_cp/core/dense_core.hpp"

namespace sunder::robust {

/// The core as the start sees it: clipped to ten spreads about its median, and centred, since a
/// one-sided S would take a component otherwise. Where the mean is nearly all there is, it is a
/// component itself, and stays. Missing entries are zero, and the others scaled up for them.
Entries clipped_and_centred(const DenseCore& core, const std::vector<Index>& informative,
                            double spread);

/// Higher-order SVD to `rank` directions in each mode, then the best of several CP-ALS fits of the
/// compressed tensor. A matrix gets its singular vectors.
Factors subspace_start(const Shape& shape, const Entries& entries, int rank, Rng& rng,
                       Monitor& monitor);

}  // namespace sunder::robust
