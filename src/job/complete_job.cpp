#include "sunder/job/complete_job.hpp"

#include <cmath>
#include <limits>

#include "sunder/algorithms/complete.hpp"
#include "sunder/core/error.hpp"
#include "sunder/io/npy.hpp"
#include "sunder/io/tensor_file.hpp"

namespace sunder {

namespace {

/// The entries in C order, with NaN where they are missing.
DenseTensor with_gaps(const TensorView& tensor, const std::optional<double>& missing) {
  const DenseTensor own = copy_of(tensor);
  DenseTensor wide(tensor.shape());
  const std::span<double> entries = wide.typed<double>();
  with_scalar_type(own.type(), [&]<class T>() {
    const std::span<const T> narrow = own.typed<T>();
    for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = static_cast<double>(narrow[i]);
  });
  if (!missing) return wide;
  for (double& entry : entries) {
    if (entry == *missing) entry = std::numeric_limits<double>::quiet_NaN();
  }
  return wide;
}

RunOptions options_of(const CompleteJob& job) {
  RunOptions run;
  run.rank = job.rank;
  run.seed = job.seed;
  run.threads = job.threads;
  run.progress = job.progress;
  run.collect_sparse = true;
  return run;
}

CompleteResult complete_tensor(const CompleteJob& job, const TensorView& tensor) {
  CompleteResult result;
  result.filled = with_gaps(tensor, job.missing);
  Completion completion = complete(result.filled.view(), options_of(job), {.smooth = job.smooth});
  if (completion.decomposition.outcome == Outcome::cancelled) throw Cancelled();
  const std::span<double> entries = result.filled.typed<double>();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!std::isnan(entries[i])) continue;
    entries[i] = completion.guess[i];
    ++result.filled_count;
  }
  if (job.replace_errors) {
    const SparseTensor& sparse = completion.decomposition.sparse;
    for (const Index position : sparse.positions()) entries[position] = completion.guess[position];
    result.replaced_count = sparse.count();
  }
  result.decomposition = std::move(completion.decomposition);
  return result;
}

}  // namespace

CompleteResult run(const CompleteJob& job) {
  CompleteResult result;
  if (job.tensor) {
    result = complete_tensor(job, *job.tensor);
  } else {
    const LoadedTensor loaded = open_tensor(job.input)->load();
    result = complete_tensor(job, loaded.view);
  }
  if (!job.output.empty()) write_npy(job.output, result.filled.view());
  return result;
}

}  // namespace sunder
