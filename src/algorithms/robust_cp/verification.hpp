#pragma once
/// One read of the whole tensor that finds S and gathers the evidence for `exact`.

#include "algorithms/robust_cp/dense_core.hpp"
#include "engine/engine.hpp"

namespace sunder::robust {

struct VerificationOptions {
  double level = 0;                      ///< S is where |T - L| is at least this
  Precision precision = Precision::f64;  ///< of the arithmetic
  bool collect_sparse = true;            ///< false: S is counted, not listed
};

struct Verification {
  SparseTensor sparse;  ///< empty unless collected
  PassStatistics statistics;
  int bad_slices = 0;        ///< slices of which too few entries are fitted
  double weakest_share = 1;  ///< of the entries of a slice, over slices, that are fitted
};

/// An entry counts for a slice only where the model could be non-zero: every other mode's row is
/// alive. A slice is bad when its fitted share is below max(.08, a quarter of the median slice), or
/// fewer than 2 r of its entries are fitted.
Verification verify(Engine& engine, const Factors& factors, const VerificationOptions& options);

}  // namespace sunder::robust
