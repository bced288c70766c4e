#pragma once
/// What a job that reads the whole tensor and one that reads it part by part share.

#include <memory>
#include <optional>

#include "sunder/algorithms/method.hpp"
#include "sunder/io/staged_folder.hpp"
#include "sunder/job/decompose_job.hpp"

namespace sunder {

/// A job whose options were checked, with its method and its processes.
class JobSetup {
 public:
  /// Throws OptionError for options that the job or its method cannot have.
  explicit JobSetup(const DecomposeJob& job);

  const DecomposeJob& job() const { return job_; }
  const Method& method() const { return *method_; }
  const Communicator& processes() const { return *processes_; }
  const std::shared_ptr<const Communicator>& shared_processes() const { return processes_; }
  bool is_first() const { return processes_->rank() == 0; }

  /// What every run is told; S, state and processes are left to the caller.
  RunOptions run_options() const;
  RunDescription describe(ScalarType type) const;
  /// Throws InputError unless the truth has the shape of the tensor.
  void require_truth_of(const CpModel& truth, const Shape& shape) const;
  /// Asks `progress` whether to go on, now that there is a result to write.
  bool cancelled_before_writing(const Decomposition& result) const;

 private:
  const DecomposeJob& job_;
  std::unique_ptr<Method> method_;
  std::shared_ptr<const Communicator> processes_;
};

/// Decomposes a tensor that is all in memory. `done` has the description and, of a file, the plan.
JobResult run_whole(const JobSetup& setup, const TensorView& tensor, JobResult done);
/// The same for a file that is loaded or mapped when truth and folder are known to be good.
JobResult run_whole(const JobSetup& setup, const TensorFile& file, JobResult done);
/// Decomposes a tensor that stays in its file. Each process reads its share, and S goes to its
/// files as it is found.
JobResult run_stored(const JobSetup& setup, const TensorFile& file, JobResult done);

}  // namespace sunder
