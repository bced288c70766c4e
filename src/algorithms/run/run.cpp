#include "algorithms/run/run.hpp"

#include <fmt/format.h>

#include "engine/source/reader_source.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

std::shared_ptr<const Communicator> communicator_of(const RunOptions& options) {
  return options.communicator ? options.communicator : std::make_shared<SerialCommunicator>();
}

std::shared_ptr<Source> source_of(const TensorView& tensor) {
  return std::make_shared<MemorySource>(tensor);
}

std::shared_ptr<Source> source_of(const StoredTensor& tensor) {
  return std::make_shared<ReaderSource>(tensor.reader, tensor.layout, tensor.window_entries);
}

Run::Run(std::shared_ptr<Source> tensor, const RunOptions& options, std::string method)
    : options_(options),
      method_(std::move(method)),
      control_(options, communicator_of(options)),
      engine_(std::move(tensor), communicator_of(options), options.threads,
              [this] { return still_wanted(); }),
      monitor_([this] { ask(); }),
      meter_(engine_, monitor_),
      checkpoint_(options.state_keeper, engine_.communicator(), method_) {
  result_.low_rank = CpModel::zero(engine_.shape());
  result_.sparse = SparseTensor(engine_.shape());
}

Decomposition Run::solve(const std::function<void()>& iterate,
                         const std::function<void()>& finish) {
  try {
    try {
      iterate();
    } catch (const Cancelled&) {
      if (!control_.ended_by_clock()) throw;
      result_.outcome = Outcome::time_limit;
      keep_state();
    }
    control_.ignore_clock();
    finish();
  } catch (const Cancelled&) {
    result_.outcome = Outcome::cancelled;
    keep_state();
  }
  const Effort effort = meter_.so_far();
  result_.passes = effort.passes;
  result_.entries_sampled = effort.sampled;
  result_.bytes_read = effort.bytes;
  result_.flops = effort.flops;
  result_.seconds = effort.seconds;
  std::string& explanation = result_.certificate.explanation;
  if (explanation.empty()) explanation = uncertified(method_);
  explain_time_limit(result_);
  return std::move(result_);
}

void Run::keep_state() {
  checkpoint_.keep_now();
  if (on_interruption_) on_interruption_();
}

const PassStatistics& Run::measure_data() {
  const CpModel nothing = CpModel::zero(shape());
  data_ = engine_.pass({.model = &nothing, .data_statistics = true}).statistics;
  result_.missing_count = data_.missing;
  return data_;
}

double Run::replace_low_rank(CpModel next) {
  const double scale = next.norm();
  const double distance = next.distance(result_.low_rank);
  result_.low_rank = std::move(next);
  return scale > 0 ? distance / scale : distance;
}

void Run::record(TraceRecord line) {
  line.pass = meter_.passes();
  line.seconds = meter_.seconds();
  line.entries_sampled = meter_.sampled();
  stage_ = line.stage;
  result_.trace.push_back(std::move(line));
}

Progress Run::progress() const {
  const bool traced = !result_.trace.empty();
  return {.stage = stage_,
          .fraction = fraction_,
          .pass = passes(),
          .residual = traced ? result_.trace.back().kept_residual : -1};
}

void Run::require_own_shape() const {
  if (result_.low_rank.shape() == shape()) return;
  throw InputError(fmt::format(
      "the checkpoint does not fit: it is of a tensor of shape {}, but this one has shape {}; "
      "begin anew without it",
      to_string(result_.low_rank.shape()), to_string(shape())));
}

std::string uncertified(std::string_view method) {
  return fmt::format(
      "{} has no certificate: its convergence does not prove that L is the true low-rank part.",
      method);
}

void explain_time_limit(Decomposition& result) {
  if (result.outcome != Outcome::time_limit) return;
  result.certificate.explanation +=
      result.low_rank.rank() > 0
          ? " The time limit ended the run, and L is the best that it had found by then."
          : " The time limit ended the run before it had found anything, so that L is zero.";
}

}  // namespace sunder
