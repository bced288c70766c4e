#pragma once
/// Nested robust CP: a small random core determines the model, robust regressions extend it to the
/// whole tensor, and one read of the data finds S and certifies (docs/methods/robust-cp.md).

#include "sunder/algorithms/constraints.hpp"
#include "sunder/algorithms/decomposition.hpp"
#include "sunder/algorithms/options.hpp"
#include "sunder/core/entry_reader.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder {

struct RobustCpOptions {
  int core =
      60;  ///< side of the sampled core, as if of order 3; it grows where the certificate fails
  double max_read = 10;   ///< no further core once this many times the entries of T were sampled
  int polish_passes = 2;  ///< passes that refine L where there is noise
  /// With noise, the share of the entries of S that may be noise, on average. Whatever it is, S
  /// only has entries that are more likely errors than noise.
  double fdr = 0.05;
  /// With noise, S holds residuals of at least this many standard deviations; 0: `fdr` decides.
  double noise_width = 0;
  NoiseFamily noise = NoiseFamily::automatic;  ///< what the variance of the noise depends on
  Casewise casewise = Casewise::on;            ///< whether bad slices are flagged
  /// Modes along which rows are smooth. It matters where rows are known from few entries.
  SmoothModes smooth = {};
  bool symmetric = false;     ///< all modes share one factor
  ModeGroups shared = {};     ///< groups of modes that share one factor
  ModeList nonnegative = {};  ///< modes whose factors have no negative entry
};

/// Throws InputError for a tensor that cannot be decomposed, OptionError for options out of range.
Decomposition robust_cp(const TensorView& tensor, const RunOptions& run,
                        const RobustCpOptions& options);
/// The same, to the bit, of a tensor that is larger than memory. Throws InputError if run.memory is
/// less than a core needs.
Decomposition robust_cp(const StoredTensor& tensor, const RunOptions& run,
                        const RobustCpOptions& options);

}  // namespace sunder
