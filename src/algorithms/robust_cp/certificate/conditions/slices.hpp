#pragma once
/// What the pass over T says about each slice.

#include "algorithms/robust_cp/certificate/tensor_fit.hpp"

namespace sunder::robust {

struct SliceEvidence {
  Index bad = 0;             ///< slices of which too few entries are fitted
  Index unknown = 0;         ///< slices of which too few entries are observed
  double weakest_share = 1;  ///< the smallest fitted share of a slice that is known
};

/// A slice is unknown where fewer entries are observed than its row needs (determinacy.hpp). It is
/// bad where fewer than these are fitted, or a share below max(.08, a quarter of the median slice).
SliceEvidence examine_slices(const TensorFit& fit);

}  // namespace sunder::robust
