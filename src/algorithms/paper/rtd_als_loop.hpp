#pragma once
/// The iteration of the paper's experiments, with any way to fit the low-rank part.

#include <functional>
#include <string>

#include "algorithms/cp/cp_als.hpp"
#include "sunder/algorithms/rtd_als.hpp"

namespace sunder {

struct LowRankStep {
  /// P_l: a fit of T - S with as many components as `start`.
  std::function<CpModel(TensorOperator& cleaned, CpModel start, const CpAlsOptions& als)> fit;
  Index most_components = 0;  ///< that it can find
};

/// Algorithm 1 with the thresholds of the experiments; `name` is the method's.
Decomposition rtd_als_loop(const TensorView& tensor, const RunOptions& run,
                           const RtdAlsOptions& options, const std::string& name,
                           const LowRankStep& step);

}  // namespace sunder
