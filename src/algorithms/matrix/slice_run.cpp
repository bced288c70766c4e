#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <thread>

#include "algorithms/matrix/matrix_method.hpp"
#include "algorithms/matrix/matrix_models.hpp"
#include "algorithms/run/abilities.hpp"
#include "algorithms/run/run.hpp"
#include "algorithms/run/validation.hpp"
#include "core/stopwatch.hpp"

namespace sunder {

namespace {

/// Decomposes every slice of a tensor. Slices are small and do not depend on each other, so that
/// every thread works on a slice of its own.
class SliceRun {
 public:
  SliceRun(const TensorView& tensor, const SliceLayout& layout, const RunOptions& run,
           const MatrixSolver& solver)
      : tensor_(tensor),
        layout_(layout),
        run_(options_of_part(run)),
        limit_(run.max_seconds),
        solver_(solver),
        found_(static_cast<std::size_t>(layout.slices())) {}

  std::vector<MatrixParts> solve() {
    const int processors = run_.threads > 0 ? run_.threads : omp_get_num_procs();
    const int team = layout_.slices() >= processors ? processors : 1;
    const int threads_each = team > 1 ? 1 : run_.threads;
    std::vector<std::exception_ptr> failures(found_.size());
#pragma omp parallel for schedule(dynamic) num_threads(team)
    for (Index slice = 0; slice < layout_.slices(); ++slice) {
      const auto at = static_cast<std::size_t>(slice);
      try {
        if (!cancelled_) found_[at] = solve_one(slice, threads_each);
      } catch (...) {
        failures[at] = std::current_exception();
        cancelled_ = true;
      }
      ++done_;
    }
    for (const std::exception_ptr& failure : failures) {
      if (failure) std::rethrow_exception(failure);
    }
    return std::move(found_);
  }

  bool cancelled() const { return cancelled_; }

 private:
  /// A slice is read about a hundred times, so that a contiguous copy of it pays.
  MatrixParts solve_one(Index slice, int threads) {
    const DenseTensor copy = copy_of(slice_view(tensor_, layout_, slice));
    RunOptions run = run_;
    run.threads = threads;
    run.max_seconds = limit_.left();
    run.progress = [this](const Progress& progress) { return report_progress(progress); };
    MatrixParts found = solver_(copy.view(), run, static_cast<std::uint64_t>(slice));
    passes_ += found.parts.passes;
    return found;
  }

  /// Only the thread that started the work reports; the others learn whether it goes on.
  Continue report_progress(Progress progress) {
    if (cancelled_) return Continue::cancel;
    if (std::this_thread::get_id() != caller_) return Continue::yes;
    const auto slices = static_cast<double>(layout_.slices());
    progress.fraction = static_cast<double>(done_) / slices;
    progress.pass = static_cast<int>(static_cast<double>(passes_) / slices);
    progress.stage = "slices";
    if (report(run_.progress, progress) == Continue::cancel) cancelled_ = true;
    return cancelled_ ? Continue::cancel : Continue::yes;
  }

  const TensorView& tensor_;
  const SliceLayout& layout_;
  const RunOptions run_;
  const TimeLimit limit_;
  const MatrixSolver& solver_;
  std::thread::id caller_ = std::this_thread::get_id();
  std::atomic<bool> cancelled_ = false;
  std::atomic<Index> done_ = 0;
  std::atomic<Index> passes_ = 0;  // over slices
  std::vector<MatrixParts> found_;
};

/// The line of the trace that all slices make together after as many iterations each, as if they
/// ran side by side. A slice that has ended stays as it was.
TraceRecord joint_record(const std::vector<MatrixParts>& slices, std::size_t iteration) {
  TraceRecord joint;
  Index passes = 0;
  Index at_work = 0;
  double observed = 0;
  double rejected = 0;
  double kept = 0;
  double changed = 0;
  double norm = 0;
  for (const auto& [parts, data_norm] : slices) {
    if (parts.trace.empty()) continue;
    const TraceRecord& line = parts.trace[std::min(iteration, parts.trace.size() - 1)];
    const double entries =
        static_cast<double>(parts.low_rank.shape().entries() - parts.missing_count);
    if (iteration < parts.trace.size()) ++at_work;
    passes += line.pass;
    observed += entries;
    rejected += line.sparse_fraction * entries;
    kept += std::pow(line.kept_residual * data_norm, 2);
    changed += std::pow(line.change * parts.low_rank.norm(), 2);
    norm += std::pow(data_norm, 2);
    joint.threshold = std::max(joint.threshold, line.threshold);
    joint.seconds += line.seconds;
  }
  const auto count = std::ssize(slices);
  joint.pass = static_cast<int>((passes + count - 1) / count);
  joint.stage = fmt::format("{} of {} slices at work", at_work, count);
  if (norm > 0) joint.kept_residual = std::sqrt(kept / norm);
  if (norm > 0) joint.change = std::sqrt(changed / norm);
  if (observed > 0) joint.sparse_fraction = rejected / observed;
  return joint;
}

std::vector<TraceRecord> joint_trace(const std::vector<MatrixParts>& slices, double seconds) {
  std::size_t longest = 0;
  for (const MatrixParts& slice : slices) longest = std::max(longest, slice.parts.trace.size());
  std::vector<TraceRecord> trace;
  for (std::size_t k = 0; k < longest; ++k) trace.push_back(joint_record(slices, k));
  // The times of the slices are scaled to the time of the run, because threads share the work.
  const double sum = trace.empty() ? 0 : trace.back().seconds;
  for (TraceRecord& line : trace) line.seconds *= sum > 0 ? seconds / sum : 0;
  return trace;
}

/// Converged if every slice is; otherwise the worst outcome of any.
Outcome joint_outcome(const std::vector<MatrixParts>& slices) {
  const auto any = [&](Outcome outcome) {
    return std::any_of(slices.begin(), slices.end(),
                       [&](const MatrixParts& slice) { return slice.parts.outcome == outcome; });
  };
  if (any(Outcome::cancelled)) return Outcome::cancelled;
  if (any(Outcome::time_limit)) return Outcome::time_limit;
  return any(Outcome::iteration_limit) ? Outcome::iteration_limit : Outcome::converged;
}

/// Moves the models and entries of the slices into those of the tensor.
Decomposition join(std::vector<MatrixParts>& slices, const SliceLayout& layout, double seconds) {
  Decomposition result;
  std::vector<CpModel> models;
  std::vector<SparseTensor> sparse;
  Index passes = 0;
  double sparse_square = 0;
  result.trace = joint_trace(slices, seconds);
  result.outcome = joint_outcome(slices);
  for (MatrixParts& slice : slices) {
    Decomposition& parts = slice.parts;
    passes += parts.passes;
    result.missing_count += parts.missing_count;
    result.sparse_count += parts.sparse_count;
    sparse_square += parts.sparse_norm * parts.sparse_norm;
    models.push_back(std::move(parts.low_rank));
    sparse.push_back(std::move(parts.sparse));
  }
  const auto count = std::ssize(slices);
  result.passes = static_cast<int>((passes + count - 1) / count);
  result.sparse_norm = std::sqrt(sparse_square);
  result.low_rank = stacked(models, layout);
  result.sparse = stacked(sparse, layout);
  return result;
}

void require_modes(const std::array<int, 2>& modes, int order) {
  for (const int mode : modes) {
    require_option(0 <= mode && mode < order, "slice-modes",
                   fmt::format("two modes from 0 to {}", order - 1), mode);
  }
  require_option(modes[0] != modes[1], "slice-modes", "two different modes", modes[0]);
}

}  // namespace

Decomposition decompose_slices(const TensorView& tensor, const RunOptions& run,
                               const std::array<int, 2>& slice_modes, std::string_view method,
                               const MatrixSolver& solver) {
  const Stopwatch clock;
  require_heeded(method, {}, run);
  require_decomposable(tensor.shape());
  require_modes(slice_modes, tensor.order());
  const SliceLayout layout{tensor.shape(), slice_modes};
  require_rank(run.rank, layout.slice_shape());
  SliceRun slices(tensor, layout, run, solver);
  std::vector<MatrixParts> found = slices.solve();
  Decomposition result;
  if (slices.cancelled()) {
    result.low_rank = CpModel::zero(tensor.shape());
    result.outcome = Outcome::cancelled;
  } else {
    result = join(found, layout, clock.seconds());
    require_observed(result.missing_count, tensor.shape());
    deliver_sparse(run, result);
  }
  result.certificate.explanation = uncertified(method);
  explain_time_limit(result);
  result.seconds = clock.seconds();
  return result;
}

}  // namespace sunder
