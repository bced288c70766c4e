#include "sunder/job/decompose_job.hpp"

#include "job/job_setup.hpp"
#include "job/memory_plan.hpp"

namespace sunder {

namespace {

std::unique_ptr<TensorFile> open_file(const DecomposeJob& job) {
  return job.raw ? open_raw(job.input, *job.raw) : open_tensor(job.input);
}

MemoryPlan plan_of(const JobSetup& setup, const TensorFile& file) {
  const DecomposeJob& job = setup.job();
  MemoryQuestion question;
  question.rank = job.rank;
  question.threads = job.threads;
  question.lists_sparse = job.keep_sparse || !job.output.empty() || !job.truth.empty();
  question.budget = job.memory;
  question.processes = job.processes_on_machine;
  question.in_parts = setup.processes().size() > 1;
  return plan_memory(file, setup.method(), question);
}

}  // namespace

JobResult run(const DecomposeJob& job) {
  const JobSetup setup(job);
  JobResult done;
  if (job.tensor) {
    done.run = setup.describe(job.tensor->type());
    return run_whole(setup, *job.tensor, std::move(done));
  }
  std::unique_ptr<TensorFile> file;
  setup.processes().together([&] {
    file = open_file(job);
    require_decomposable(file->shape());
    done.plan = plan_of(setup, *file);
  });
  if (setup.is_first() && job.on_plan) job.on_plan(done.plan);
  done.run = setup.describe(file->type());
  done.run.plan = ReadingPlan{done.plan.streamed, done.plan.budget, done.plan.memory,
                              done.plan.bytes_to_read, done.plan.passes};
  return done.plan.streamed ? run_stored(setup, *file, std::move(done))
                            : run_whole(setup, *file, std::move(done));
}

}  // namespace sunder
