#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/cli.hpp"
#include "sunder/algorithms/method.hpp"
#include "sunder/core/error.hpp"
#include "sunder/job/complete_job.hpp"

namespace sunder::cli {

namespace {

struct CompleteCommand {
  CompleteJob job;
  std::string rank = "auto";
  std::string smooth = "auto";
  std::string output;
  ConsoleOptions talk;

  ExitCode run() const;
};

ExitCode CompleteCommand::run() const {
  CompleteJob complete = job;
  complete.rank = parse_rank(rank);
  complete.smooth = parse_smooth(smooth);
  complete.output = output;
  CompleteResult done;
  {
    ProgressBar bar(talk);
    complete.progress = bar.callback();
    done = sunder::run(complete);
  }
  const Decomposition& result = done.decomposition;
  if (talk.json) {
    fmt::print("{{\"filled\": {}, \"replaced\": {}, \"outcome\": \"{}\", \"seconds\": {:.3f}}}\n",
               done.filled_count, done.replaced_count, to_string(result.outcome), result.seconds);
  }
  if (talk.for_people()) {
    fmt::print(
        "{} of {} entries were missing and are filled, {} errors are replaced, {:.2f} s: {}\n",
        grouped_digits(done.filled_count), grouped_digits(done.filled.entries()),
        grouped_digits(done.replaced_count), result.seconds, output);
  }
  return result.outcome == Outcome::converged ? ExitCode::done : did_not_converge;
}

}  // namespace

Command add_complete(CLI::App& command) {
  auto state = std::make_shared<CompleteCommand>();
  command.add_option("tensor", state->job.input, "the tensor T")->required()->type_name("FILE");
  command.add_option("--output,-o", state->output, "file for T without gaps, .npy")
      ->required()
      ->type_name("FILE");
  command.add_option("--rank,-r", state->rank, "number of components of L, or auto")
      ->capture_default_str()
      ->type_name("N");
  command
      .add_option("--missing", state->job.missing,
                  "entries of this value are missing as well, as in --missing 0")
      ->type_name("NUMBER");
  command.add_flag("--replace-errors", state->job.replace_errors,
                   "replace the entries of S as well");
  command
      .add_option(
          "--smooth", state->smooth,
          "modes along which neighbouring rows are alike, as in 1,2, none, or auto (the data "
          "decide)")
      ->capture_default_str()
      ->type_name("MODES");
  add_seed(command, state->job.seed, "seed of the random starts");
  command
      .add_option("--threads", state->job.threads,
                  "threads; 0: one for each processor; the result does not depend on it")
      ->capture_default_str()
      ->type_name("N");
  state->talk.add_flags(command);
  command.footer(
      "NaN marks a missing entry. Entries that are known stay as they are. Where L does not fit\n"
      "the data to rounding, gaps are filled with L and with what neighbouring entries say of the\n"
      "rest; T must then fit in memory.\n");
  return [state] { return state->run(); };
}

}  // namespace sunder::cli
