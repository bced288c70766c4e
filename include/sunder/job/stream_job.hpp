#pragma once
/// A stream in one call: the slices of the last mode of a tensor are taken one by one, with factors
/// that may move (sunder/algorithms/stream.hpp), from a file to a result folder.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sunder/algorithms/decomposition.hpp"
#include "sunder/algorithms/stream.hpp"
#include "sunder/core/progress.hpp"
#include "sunder/report/run_description.hpp"

namespace sunder {

struct StreamJob {
  std::string input;             ///< where the tensor is, as open_tensor() takes it
  StreamOptions options;         ///< the rank, which must be given, and how factors are followed
  std::uint64_t seed = 1;        ///< of the random starts
  std::filesystem::path state;   ///< file to go on from, if it exists, and to save to; empty: none
  std::filesystem::path output;  ///< folder for the result, with report and summary; empty: none
  bool force = false;            ///< replace a result that is there already
  std::filesystem::path truth;   ///< folder with the true L and S, to evaluate against; empty: none
  ProgressCallback progress;     ///< called before every slice; may cancel
};

/// A change of the factors that the stream noticed; slices are numbered from 0.
struct StreamChange {
  Index reported_at = 0;
  Index changed_at = 0;  ///< the first slice that the model did not explain
};

/// Median and largest of one figure over the slices that have a model.
struct SliceFigures {
  double median = 0;
  double largest = 0;
  Index worst = 0;  ///< the slice with the largest
};

struct StreamJobResult {
  /// L has the latest factors and the coefficients that each slice had at its own time.
  Decomposition decomposition;
  RunDescription run;                     ///< what was run, with the evaluation against the truth
  Index slices = 0;                       ///< that this job read
  Index explained = 0;                    ///< of those, by the model
  std::vector<StreamChange> changes;      ///< in order
  std::optional<SliceFigures> residuals;  ///< of T - L over T, on the entries not in S
  std::optional<SliceFigures> errors;     ///< of L, relative, where the truth is known
  std::filesystem::path folder;           ///< the result folder that was written; empty: none
  std::string summary;                    ///< the text of summary.json
};

/// Does the job. Throws OptionError and InputError before the work begins, InputError if the slices
/// do not give a model and no state is saved, OutputError for a folder that cannot be written, and
/// Cancelled, with nothing written, if `progress` says so.
StreamJobResult run(const StreamJob& job);

}  // namespace sunder
