#pragma once
/// One read of T that carries everything an iteration needs.
///
///     R = T - L          for each tile, L from its factors
///     K = keep(R)        the rule decides entry by entry; a missing entry (NaN) is not kept
///     M_m += K x_{k != m} P_k      MTTKRP of the kept residual, every mode asked for
///     counts and sums; the coordinates and values of S = R - K where wanted
///
/// L and S are never formed densely: memory is that of T plus O(n r).

#include <bitset>
#include <functional>
#include <vector>

#include "engine/log_histogram.hpp"
#include "engine/rule.hpp"
#include "sunder/core/cp_model.hpp"
#include "sunder/core/progress.hpp"
#include "sunder/core/sparse_tensor.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder {

/// Modes whose MTTKRP is wanted.
using ModeSet = std::bitset<max_order>;
ModeSet only_mode(int mode);

struct PassRequest {
  const CpModel* model = nullptr;  ///< L; rank 0 is allowed
  Rule rule = {};                  ///< which residuals are kept
  const std::vector<Matrix>* probe =
      nullptr;                  ///< P: the factors to multiply with; null: the model's
  ModeSet modes = {};           ///< which MTTKRPs to compute
  bool collect_sparse = false;  ///< list the entries of S
};

struct PassStatistics {
  Index kept = 0;                  ///< entries the rule kept
  Index rejected = 0;              ///< entries of S
  Index missing = 0;               ///< NaN in T
  double kept_square_sum = 0;      ///< ||K||^2
  double rejected_square_sum = 0;  ///< ||S||^2
  double data_square_sum = 0;      ///< ||T||^2 over the observed entries
  double data_max = 0;             ///< max |T| over the observed entries
  LogHistogram magnitudes;         ///< of |T - L| over the observed entries

  Index observed() const { return kept + rejected; }
};

struct PassResult {
  std::vector<Matrix> mttkrp;  ///< one per mode of T; empty where not asked for
  PassStatistics statistics;
  SparseTensor sparse;  ///< empty unless asked for
};

/// Throws InputError at an infinite entry, Cancelled when `still_wanted` answers cancel.
PassResult pass(const TensorView& tensor, const PassRequest& request, int threads,
                const std::function<Continue()>& still_wanted = {});

}  // namespace sunder
