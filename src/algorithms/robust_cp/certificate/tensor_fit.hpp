#pragma once
/// One read of the whole tensor: S, and how well a model fits each slice.

#include <vector>

#include "algorithms/robust_cp/core/dense_core.hpp"
#include "engine/engine.hpp"

namespace sunder::robust {

struct TensorFitOptions {
  double level = 0;                      ///< S is where |T - L| is at least this
  Precision precision = Precision::f64;  ///< of the arithmetic
  bool collect_sparse = true;            ///< false: S is counted, not listed
  SparseSink sparse_sink = {};           ///< receives S as well, if set
};

/// What the pass found. An entry counts for a slice only where the model could be non-zero: its
/// rows of all other modes are not zero.
struct TensorFit {
  double level = 0;     ///< that of the options
  SparseTensor sparse;  ///< empty unless collected
  PassStatistics statistics;
  std::vector<SliceStatistics> slices;  ///< of each mode
  std::vector<Index> needed;            ///< of each mode: entries that determine a slice's row

  /// The share of the observed entries that are fitted.
  double fitted_share() const {
    return static_cast<double>(statistics.kept) / static_cast<double>(statistics.observed());
  }
};

TensorFit fit_tensor(Engine& engine, const Factors& factors, const TensorFitOptions& options);

}  // namespace sunder::robust
