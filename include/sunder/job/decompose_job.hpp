#pragma once
/// A whole decomposition in one call: from a file or an array and options to a result and a folder
/// with its files and its report. The tensor may be larger than memory, the run can go on after an
/// interruption, and several processes can share the work.
///
///     sunder::DecomposeJob job;
///     job.input = "T.npy";
///     job.rank = 5;
///     job.memory = 500 << 20;
///     job.output = "result";
///     const sunder::JobResult done = sunder::run(job);

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sunder/algorithms/decomposition.hpp"
#include "sunder/core/communicator.hpp"
#include "sunder/core/progress.hpp"
#include "sunder/core/tensor_view.hpp"
#include "sunder/io/tensor_file.hpp"
#include "sunder/job/memory_plan.hpp"
#include "sunder/report/run_description.hpp"

namespace sunder {

struct DecomposeJob {
  std::string input;             ///< where the tensor is, as open_tensor() takes it
  std::optional<RawLayout> raw;  ///< if set, the file holds nothing but entries, laid out like this
  /// If set, this tensor is decomposed where it lies in memory, and `input` is only its name.
  std::optional<TensorView> tensor;
  std::vector<int> group;  ///< modes to treat as one, as in {0, 1} for video as pixels x time

  std::string method = "robust-cp";            ///< one of method_names()
  std::map<std::string, std::string> options;  ///< of the method, as in {{"noise-width", "5"}}
  int rank = 0;                                ///< number of components of L; 0: chosen
  std::uint64_t seed = 1;                      ///< of the random starts
  int threads = 0;                             ///< 0: one for each processor
  double max_seconds = 0;                      ///< the best so far is given then; 0: no limit

  /// Bytes that this process may use. A tensor that does not fit is read part by part. 0: 80% of
  /// what is free.
  std::int64_t memory = 0;
  /// Folder in which a new run keeps its state, to go on after an interruption; empty: none.
  std::filesystem::path checkpoint;
  /// Folder with the state of a run that was interrupted, which goes on, and keeps its state there.
  std::filesystem::path resume;
  double checkpoint_interval = 30;  ///< seconds between two checkpoints at least

  std::filesystem::path output;  ///< folder for the result, with report and summary; empty: none
  bool force = false;            ///< replace a result or a checkpoint that is there already
  std::filesystem::path truth;   ///< folder with the true L and S, to evaluate against; empty: none
  /// The true L in memory, for methods that are told it; `truth` wins. Null: not known.
  const CpModel* true_low_rank = nullptr;
  /// List S in the result where the whole tensor is in memory. S of a tensor that is read part by
  /// part is written to `output` and counted, never listed.
  bool keep_sparse = true;

  std::shared_ptr<const Communicator> communicator;    ///< the processes; null: this one alone
  int processes_on_machine = 1;                        ///< of those, which share its memory
  ProgressCallback progress;                           ///< called often; may cancel
  std::function<void(const MemoryPlan&)> on_plan;      ///< told how the tensor will be read
  std::function<void(const std::string&)> on_warning;  ///< told what is odd, but no error
};

struct JobResult {
  Decomposition decomposition;
  RunDescription run;            ///< what was run, with the evaluation against the truth
  MemoryPlan plan;               ///< of a tensor in a file
  std::filesystem::path folder;  ///< the result folder that was written; empty: none
  std::string summary;           ///< the text of summary.json
};

/// Does the job. If `progress` cancels it, the outcome is Outcome::cancelled, nothing is written,
/// and the checkpoint stays. Every process gets L; the first one alone has the evaluation, and
/// calls `on_plan` and `on_warning`.
///
/// Throws before the work begins: OptionError for an option out of range or options that contradict
/// each other, InputError for a tensor, truth or checkpoint that cannot be used, and for a budget
/// that is too small, OutputError for a folder that cannot be written. Messages name options as
/// option_name.hpp says.
JobResult run(const DecomposeJob& job);

}  // namespace sunder
