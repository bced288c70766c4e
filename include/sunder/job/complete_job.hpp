#pragma once
/// Fills the gaps of a tensor in one call, from a file or an array to a file or an array.
///
///     sunder::CompleteJob job;
///     job.input = "T.npy";
///     job.output = "filled.npy";
///     const sunder::CompleteResult done = sunder::run(job);

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "sunder/algorithms/constraints.hpp"
#include "sunder/algorithms/decomposition.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/progress.hpp"

namespace sunder {

struct CompleteJob {
  std::string input;  ///< where the tensor is, as open_tensor() takes it
  /// If set, this tensor is completed, and `input` is only its name.
  std::optional<TensorView> tensor;
  std::optional<double> missing;  ///< entries of this value are missing as well, beside NaN
  bool replace_errors = false;    ///< entries of S are replaced too
  int rank = 0;                   ///< number of components of L; 0: as many as gaps usually need
  SmoothModes smooth = {};        ///< modes along which neighbouring rows are alike
  std::uint64_t seed = 1;         ///< of the random starts
  int threads = 0;                ///< 0: one for each processor
  std::filesystem::path output;   ///< .npy file for the result; empty: none
  ProgressCallback progress;      ///< called often; may cancel
};

struct CompleteResult {
  DenseTensor filled;           ///< T with its gaps filled, f64
  Decomposition decomposition;  ///< L and S of T
  Index filled_count = 0;       ///< entries that were missing
  Index replaced_count = 0;     ///< entries of S that were replaced
};

/// Does the job. Throws OptionError for a rank out of range, InputError for a tensor that cannot be
/// used, OutputError for a file that cannot be written, Cancelled if `progress` cancels.
CompleteResult run(const CompleteJob& job);

}  // namespace sunder
