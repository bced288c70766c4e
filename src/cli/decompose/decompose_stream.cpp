#include "cli/decompose/decompose_stream.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "sunder/algorithms/method.hpp"
#include "sunder/core/error.hpp"
#include "sunder/job/stream_job.hpp"

namespace sunder::cli {

namespace {

namespace fs = std::filesystem;

std::string changes_in_words(const std::vector<StreamChange>& changes) {
  std::vector<std::string> list;
  for (const StreamChange& change : changes) {
    list.push_back(
        fmt::format("at slice {} (reported at {})", change.changed_at, change.reported_at));
  }
  return list.empty() ? "none" : fmt::format("{}", fmt::join(list, ", "));
}

void print(const StreamRequest& request, const StreamJobResult& done) {
  const Decomposition& result = done.decomposition;
  const Shape shape = result.low_rank.shape();
  const auto line = [](std::string_view name, const std::string& text) {
    fmt::print("  {:<12}{}\n", name, text);
  };
  fmt::print("{}\n", request.input);
  line("tensor",
       fmt::format("{}, {}, {} entries, {} missing", to_string(shape), done.run.dtype,
                   grouped_digits(shape.entries()), grouped_digits(result.missing_count)));
  line("method", fmt::format("stream, rank {}, seed {}", result.low_rank.rank(), done.run.seed));
  line("slices", fmt::format("{}, {} of them explained, {:.2f} s, {:.1f} ms each", done.slices,
                             done.explained, result.seconds,
                             1000 * result.seconds / static_cast<double>(done.slices)));
  line("changes", changes_in_words(done.changes));
  if (done.residuals) {
    line("residual",
         fmt::format("median {:.2e}, largest {:.2e} at slice {}", done.residuals->median,
                     done.residuals->largest, done.residuals->worst));
  }
  if (done.errors) {
    line("truth", fmt::format("relative error of L, slice by slice: median {:.2e}, largest {:.2e} "
                              "at slice {}",
                              done.errors->median, done.errors->largest, done.errors->worst));
  }
  line("sparse", fmt::format("{} entries, norm {:.6g}", grouped_digits(result.sparse_count),
                             result.sparse_norm));
  line("written", request.output.empty()
                      ? "nothing (-o FOLDER keeps the factors, S and a report)"
                      : fmt::format("{} (open {} in a browser)", request.output,
                                    (fs::path(request.output) / "report.html").string()));
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
  StreamJob job;
  job.input = request.input;
  job.options = options_;
  job.options.rank = parse_rank(request.rank);
  job.options.threads = request.threads;
  job.options.moving = !still_;
  if (request.noise_width) job.options.noise_width = *request.noise_width;
  job.seed = request.seed;
  job.state = state_;
  job.output = request.output;
  job.force = request.force;
  job.truth = request.truth;
  StreamJobResult done;
  {
    ProgressBar bar(request.talk);
    job.progress = bar.callback();
    done = sunder::run(job);
  }
  if (request.talk.json) fmt::print("{}", done.summary);
  if (request.talk.for_people()) print(request, done);
  return done.decomposition.outcome == Outcome::converged ? ExitCode::done : did_not_converge;
}

}  // namespace sunder::cli
