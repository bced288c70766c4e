#include "sunder/job/stream_job.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/stopwatch.hpp"
#include "job/stream_log.hpp"
#include "report/report.hpp"
#include "sunder/core/error.hpp"
#include "sunder/io/result_folder.hpp"
#include "sunder/io/staged_folder.hpp"
#include "sunder/io/tensor_slices.hpp"

namespace sunder {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

class StreamRun {
 public:
  explicit StreamRun(const StreamJob& job)
      : job_(job), file_(open_tensor(job.input)), stream_(open_stream()) {
    if (!job_.truth.empty()) known_ = read_low_rank_plus_sparse(job_.truth);
    if (known_ && !(known_->low_rank.shape() == file_->shape())) {
      throw InputError(fmt::format("the truth in {} has shape {}, but the tensor has shape {}",
                                   job_.truth.string(), to_string(known_->low_rank.shape()),
                                   to_string(file_->shape())));
    }
    if (!job_.output.empty()) folder_.emplace(job_.output, result_file_names(), job_.force);
  }

  StreamJobResult run() {
    const Stopwatch clock;
    StreamLog log(file_->shape(), job_.options.rank, stream_.slices_seen(),
                  known_ ? &known_->low_rank : nullptr);
    feed(log);
    if (job_.state.empty()) require_a_model(log);
    StreamJobResult done;
    done.decomposition = log.result(stream_);
    done.decomposition.seconds = clock.seconds();
    done.run = describe(done.decomposition);
    done.slices = log.slices();
    done.explained = log.explained();
    done.changes = log.changes();
    done.residuals = log.residuals();
    done.errors = log.errors();
    done.summary = summary_of(done, log);
    stop_if_cancelled("writing the result", 1);
    if (folder_) write(done);
    if (!job_.state.empty()) stream_.save(job_.state);
    return done;
  }

 private:
  RobustCpStream open_stream() const {
    require_decomposable(file_->shape());
    const Shape slice(std::span<const Index>(file_->shape().begin(),
                                             static_cast<std::size_t>(file_->shape().order() - 1)));
    return !job_.state.empty() && fs::exists(job_.state)
               ? RobustCpStream::load(job_.state, slice, job_.options, job_.seed)
               : RobustCpStream(slice, job_.options, job_.seed);
  }

  void stop_if_cancelled(std::string_view stage, double fraction) const {
    Progress progress;
    progress.stage = stage;
    progress.fraction = fraction;
    if (report(job_.progress, progress) == Continue::cancel) throw Cancelled();
  }

  void feed(StreamLog& log) {
    const auto slices = static_cast<double>(file_->shape()[file_->shape().order() - 1]);
    scan_slices(*file_, [&](const TensorView& slice, Index number) {
      stop_if_cancelled(stream_.has_model() ? "tracking" : "learning",
                        static_cast<double>(number) / slices);
      const SliceDecision decision = stream_.push(slice);
      log.add(stream_, decision);
      return Continue::yes;
    });
  }

  void require_a_model(const StreamLog& log) const {
    if (!stream_.factors().empty()) return;
    throw InputError(fmt::format(
        "the {} slices of the tensor do not give a model of rank {}: give a shorter `warm-up`, "
        "keep the stream for further slices with `state`, or decompose the tensor without `stream`",
        log.slices(), stream_.options().rank));
  }

  RunDescription describe(const Decomposition& result) const {
    const StreamOptions& options = job_.options;
    RunDescription run;
    run.input = job_.input;
    run.dtype = to_string(file_->type());
    run.method = "stream";
    run.seed = job_.seed;
    run.options = {{"warm-up", fmt::format("{}", options.warm_up)},
                   {"forgetting", fmt::format("{}", options.forgetting)},
                   {"still", options.moving ? "false" : "true"},
                   {"noise-width", fmt::format("{}", options.noise_width)}};
    if (known_) run.evaluation = evaluate(result, known_->low_rank, known_->sparse);
    return run;
  }

  /// The summary of every run, with the slices before the trace.
  static std::string summary_of(const StreamJobResult& done, const StreamLog& log) {
    Json summary = Json::parse(render_summary(done.run, done.decomposition));
    const Json trace = summary["trace"];
    summary.erase("trace");
    summary["stream"] = log.json();
    summary["trace"] = trace;
    return summary.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  }

  void write(StreamJobResult& done) {
    const Decomposition& result = done.decomposition;
    const ReportPictures pictures{
        {}, result.low_rank.shape(), "A stream keeps no slices to make pictures of."};
    write_low_rank_plus_sparse(folder_->path(), result.low_rank, result.sparse);
    write_text(folder_->path() / "report.html", render_report(done.run, result, pictures));
    write_text(folder_->path() / "summary.json", done.summary);
    stop_if_cancelled("writing the result", 1);
    folder_->publish();
    done.folder = folder_->target();
  }

  const StreamJob& job_;
  std::unique_ptr<TensorFile> file_;
  RobustCpStream stream_;
  std::optional<LowRankPlusSparse> known_;
  std::optional<StagedFolder> folder_;
};

}  // namespace

StreamJobResult run(const StreamJob& job) {
  if (job.options.rank == 0) {
    throw OptionError("a stream cannot choose the rank: give `rank` a number instead of auto");
  }
  return StreamRun(job).run();
}

}  // namespace sunder
