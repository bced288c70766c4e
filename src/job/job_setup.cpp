#include "job/job_setup.hpp"

#include <fmt/format.h>

#include "core/require_option.hpp"
#include "job/checkpoint.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

JobSetup::JobSetup(const DecomposeJob& job)
    : job_(job),
      method_(make_method(job.method)),
      processes_(job.communicator ? job.communicator : std::make_shared<SerialCommunicator>()) {
  for (const auto& [option, value] : job.options) method_->set(option, value);
  require_threads(job.threads);
  if (job.rank < 0) {
    throw OptionError(fmt::format(
        "`rank` must be a whole number of at least 1, or 0 to choose it, but is {}", job.rank));
  }
  if (job.memory < 0) {
    throw OptionError(fmt::format("`memory` must be 0 or more, but is {}", job.memory));
  }
  if (!(job.max_seconds >= 0)) {
    throw OptionError(fmt::format("`max-seconds` must be 0 or more, but is {}", job.max_seconds));
  }
  check_checkpoint_options(job, *method_);
  if (!job.tensor) return;
  if (job.raw) throw OptionError("a tensor in memory has its own layout: leave out `raw-shape`");
  if (job.memory > 0) {
    throw OptionError("`memory` is for a tensor in a file, but this one is in memory already");
  }
  if (processes_->size() > 1) {
    throw OptionError("several processes need a tensor in a file that each of them can read");
  }
}

RunOptions JobSetup::run_options() const {
  RunOptions run;
  run.rank = job_.rank;
  run.seed = job_.seed;
  run.threads = job_.threads;
  run.max_seconds = job_.max_seconds;
  run.progress = job_.progress;
  run.true_low_rank = job_.true_low_rank;
  return run;
}

RunDescription JobSetup::describe(ScalarType type) const {
  RunDescription description;
  description.input = job_.input;
  description.dtype = to_string(type);
  description.method = job_.method;
  description.seed = job_.seed;
  description.group = job_.group;
  for (const MethodOption& option : method_->options()) {
    description.options.emplace(option.name, option.value);
  }
  return description;
}

void JobSetup::require_truth_of(const CpModel& truth, const Shape& shape) const {
  if (truth.shape() == shape) return;
  const std::string where = job_.truth.empty() ? "" : " in " + job_.truth.string();
  throw InputError(fmt::format("the truth{} has shape {}, but the tensor has shape {}", where,
                               to_string(truth.shape()), to_string(shape)));
}

bool JobSetup::cancelled_before_writing(const Decomposition& result) const {
  Progress progress;
  progress.stage = "writing the result";
  progress.fraction = 1;
  progress.pass = result.passes;
  return report(job_.progress, progress) == Continue::cancel;
}

}  // namespace sunder
