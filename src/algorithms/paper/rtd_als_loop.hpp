#pragma once
/// The iteration of the paper's experiments, with any way to fit the low-rank part.

#include <functional>
#include <string>

#include "algorithms/cp/cp_als.hpp"
#include "algorithms/run/run.hpp"
#include "sunder/algorithms/rtd_als.hpp"

namespace sunder {

struct LowRankStep {
  /// P_l: fits T - S with as many components as `start` has.
  std::function<CpModel(TensorOperator& cleaned, CpModel start, const CpAlsOptions& als)> fit;
  Index most_components = 0;  ///< the largest number that it can find
};

/// Algorithm 1 with the thresholds of the experiments. `name` is that of the method.
Decomposition rtd_als_loop(std::shared_ptr<Source> tensor, const RunOptions& run,
                           const RtdAlsOptions& options, const std::string& name,
                           const LowRankStep& step);

}  // namespace sunder
