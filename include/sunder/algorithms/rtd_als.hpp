#pragma once
/// Robust tensor decomposition as the paper's experiments ran it (docs/methods/rtd-als.md).

#include <optional>

#include "sunder/algorithms/constraints.hpp"
#include "sunder/algorithms/decomposition.hpp"
#include "sunder/algorithms/options.hpp"
#include "sunder/core/entry_reader.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder {

struct RtdAlsOptions {
  std::optional<double> mu =
      {};  ///< incoherence constant in zeta = mu sigma / n^1.5; none: measured
  double noise_floor =
      3;  ///< zeta never falls below this many standard deviations of the inliers; 0: off
  double decay = 0.5;           ///< factor on zeta for each iteration of the last stage
  int max_iterations = 100;     ///< alternations of low-rank fit and threshold, over all stages
  int stage_iterations = 5;     ///< at most this many of them in a stage before the last
  int als_sweeps = 50;          ///< sweeps of CP-ALS for each low-rank fit
  double als_tolerance = 1e-4;  ///< relative change of L at which a low-rank fit ends
  double tolerance = 1e-9;      ///< relative change of L at which the iteration ends
  ModeGroups shared = {};       ///< groups of modes that share one factor
  ModeList nonnegative = {};    ///< modes whose factors have no negative entry
};

/// Throws InputError for a tensor that cannot be decomposed, OptionError for options out of range.
Decomposition rtd_als(const TensorView& tensor, const RunOptions& run,
                      const RtdAlsOptions& options);
/// The same, to the bit, of a tensor that is larger than memory.
Decomposition rtd_als(const StoredTensor& tensor, const RunOptions& run,
                      const RtdAlsOptions& options);

}  // namespace sunder
