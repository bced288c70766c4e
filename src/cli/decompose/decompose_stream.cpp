#include "cli/decompose/decompose_stream.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/decompose/stream_log.hpp"
#include "core/stopwatch.hpp"
#include "report/report.hpp"
#include "sunder/algorithms/method.hpp"
#include "sunder/core/error.hpp"
#include "sunder/io/result_folder.hpp"
#include "sunder/io/staged_folder.hpp"
#include "sunder/io/tensor_slices.hpp"

namespace sunder::cli {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// The summary of every run, with the slices before the trace.
std::string summary_of(const RunDescription& run, const Decomposition& result,
                       const StreamLog& log) {
  Json summary = Json::parse(render_summary(run, result));
  const Json trace = summary["trace"];
  summary.erase("trace");
  summary["stream"] = log.json();
  summary["trace"] = trace;
  return summary.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write(StagedFolder& folder, const RunDescription& run, const Decomposition& result,
           const std::string& summary) {
  const ReportPictures pictures{
      {}, result.low_rank.shape(), "A stream keeps no slices to make pictures of."};
  write_low_rank_plus_sparse(folder.path(), result.low_rank, result.sparse);
  write_text(folder.path() / "report.html", render_report(run, result, pictures));
  write_text(folder.path() / "summary.json", summary);
  stop_if_interrupted();
  folder.publish();
}

std::string changes_in_words(const StreamLog& log) {
  std::vector<std::string> list;
  for (const ReportedChange& change : log.changes()) {
    list.push_back(
        fmt::format("at slice {} (reported at {})", change.changed_at, change.reported_at));
  }
  return list.empty() ? "none" : fmt::format("{}", fmt::join(list, ", "));
}

void print(const StreamRequest& request, const RunDescription& run, const Decomposition& result,
           const StreamLog& log) {
  const Shape shape = result.low_rank.shape();
  const auto line = [](std::string_view name, const std::string& text) {
    fmt::print("  {:<12}{}\n", name, text);
  };
  fmt::print("{}\n", request.input);
  line("tensor",
       fmt::format("{}, {}, {} entries, {} missing", to_string(shape), run.dtype,
                   grouped_digits(shape.entries()), grouped_digits(result.missing_count)));
  line("method", fmt::format("stream, rank {}, seed {}", result.low_rank.rank(), run.seed));
  line("slices", fmt::format("{}, {} of them explained, {:.2f} s, {:.1f} ms each", log.slices(),
                             log.explained(), result.seconds,
                             1000 * result.seconds / static_cast<double>(log.slices())));
  line("changes", changes_in_words(log));
  if (const auto residuals = log.residuals()) {
    line("residual", fmt::format("median {:.2e}, largest {:.2e} at slice {}", residuals->median,
                                 residuals->largest, residuals->worst));
  }
  if (const auto errors = log.errors()) {
    line("truth", fmt::format("relative error of L, slice by slice: median {:.2e}, largest {:.2e} "
                              "at slice {}",
                              errors->median, errors->largest, errors->worst));
  }
  line("sparse", fmt::format("{} entries, norm {:.6g}", grouped_digits(result.sparse_count),
                             result.sparse_norm));
  line("written", request.output.empty()
                      ? "nothing (-o FOLDER keeps the factors, S and a report)"
                      : fmt::format("{} (open {} in a browser)", request.output,
                                    (fs::path(request.output) / "report.html").string()));
}

Shape slice_shape(const TensorFile& file) {
  require_decomposable(file.shape());
  return Shape(std::span<const Index>(file.shape().begin(),
                                      static_cast<std::size_t>(file.shape().order() - 1)));
}

/// Feeds every slice; the time of the stream itself goes into the log's result.
void feed(const TensorFile& file, RobustCpStream& stream, StreamLog& log, const Talk& talk) {
  ProgressBar bar(talk);
  const ProgressCallback callback = bar.callback();
  const auto slices = static_cast<double>(file.shape()[file.shape().order() - 1]);
  scan_slices(file, [&](const TensorView& slice, Index number) {
    Progress progress;
    progress.stage = stream.has_model() ? "tracking" : "learning";
    progress.fraction = static_cast<double>(number) / slices;
    if (report(callback, progress) == Continue::cancel) throw Cancelled();
    const SliceDecision decision = stream.push(slice);
    log.add(stream, decision);
    return Continue::yes;
  });
}

void require_a_model(const RobustCpStream& stream, const StreamLog& log) {
  if (!stream.factors().empty()) return;
  throw InputError(fmt::format(
      "the {} slices of the tensor do not give a model of rank {}: give a shorter --warm-up, keep "
      "the stream for further slices with --state, or decompose the tensor without --stream",
      log.slices(), stream.options().rank));
}

}  // namespace

void StreamCommand::add_flags(CLI::App& command) {
  command
      .add_flag("--stream", stream_,
                "take the slices of the last mode one by one, and follow factors that move")
      ->group("Stream");
  const auto keep = [&](CLI::Option* option) {
    only_with_stream_.push_back(option->group("Stream"));
  };
  keep(command
           .add_option("--warm-up", options_.warm_up,
                       "slices that are decomposed together at first; 0: chosen")
           ->capture_default_str()
           ->type_name("N"));
  keep(command
           .add_option("--forgetting", options_.forgetting,
                       "weight of a slice relative to the one after it, up to 1; 0: chosen")
           ->capture_default_str()
           ->type_name("NUMBER"));
  keep(command.add_flag("--still", still_,
                        "the factors do not move: more accurate under noise if they do not"));
  keep(command
           .add_option("--state", state_,
                       "file to go on from, if it exists, and to save the stream to")
           ->type_name("FILE"));
}

bool StreamCommand::wanted() const {
  if (stream_) return true;
  for (const CLI::Option* option : only_with_stream_) {
    if (option->count() > 0) {
      throw OptionError(
          fmt::format("{} is for streams: add --stream, or leave it out", option->get_name()));
    }
  }
  return false;
}

ExitCode StreamCommand::run(const StreamRequest& request) const {
  StreamOptions options = options_;
  options.rank = parse_rank(request.rank);
  options.threads = request.threads;
  options.moving = !still_;
  if (request.noise_width) options.noise_width = *request.noise_width;
  if (options.rank == 0) {
    throw OptionError("a stream cannot choose the rank: give --rank a number instead of auto");
  }
  const std::unique_ptr<TensorFile> file = open_tensor(request.input);
  const Shape shape = slice_shape(*file);
  RobustCpStream stream = !state_.empty() && fs::exists(state_)
                              ? RobustCpStream::load(state_, shape, options, request.seed)
                              : RobustCpStream(shape, options, request.seed);
  std::optional<LowRankPlusSparse> known;
  if (!request.truth.empty()) known = read_low_rank_plus_sparse(request.truth);
  if (known && !(known->low_rank.shape() == file->shape())) {
    throw InputError(fmt::format("the truth in {} has shape {}, but the tensor has shape {}",
                                 request.truth, to_string(known->low_rank.shape()),
                                 to_string(file->shape())));
  }
  std::optional<StagedFolder> folder;
  if (!request.output.empty()) folder.emplace(request.output, result_file_names(), request.force);

  const Stopwatch clock;
  StreamLog log(file->shape(), options.rank, stream.slices_seen(),
                known ? &known->low_rank : nullptr);
  feed(*file, stream, log, request.talk);
  if (state_.empty()) require_a_model(stream, log);
  Decomposition result = log.result(stream);
  result.seconds = clock.seconds();

  RunDescription description;
  description.input = request.input;
  description.dtype = to_string(file->type());
  description.method = "stream";
  description.seed = request.seed;
  description.options = {{"warm-up", fmt::format("{}", options.warm_up)},
                         {"forgetting", fmt::format("{}", options.forgetting)},
                         {"still", still_ ? "true" : "false"},
                         {"noise-width", fmt::format("{}", options.noise_width)}};
  if (known) description.evaluation = evaluate(result, known->low_rank, known->sparse);
  const std::string summary = summary_of(description, result, log);
  stop_if_interrupted();
  if (folder) write(*folder, description, result, summary);
  if (!state_.empty()) stream.save(state_);
  if (request.talk.json) fmt::print("{}", summary);
  if (request.talk.for_people()) print(request, description, result, log);
  return result.outcome == Outcome::converged ? done : did_not_converge;
}

}  // namespace sunder::cli
