#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <map>
#include <set>
#include <vector>

#include "cli/cli.hpp"
#include "cli/decompose/decompose_print.hpp"
#include "cli/decompose/decompose_stream.hpp"
#include "cli/processes.hpp"
#include "sunder/algorithms/method.hpp"
#include "sunder/core/error.hpp"
#include "sunder/job/decompose_job.hpp"

namespace sunder::cli {

namespace {

/// The job, and the flags whose text is read later.
struct DecomposeCommand {
  DecomposeJob job;
  std::string rank;    ///< a number, or "auto"
  std::string memory;  ///< a size, or empty
  std::string truth;
  std::string output;
  std::string checkpoint;
  std::string resume;
  std::vector<std::int64_t> raw_shape;
  std::string raw_type;
  ConsoleOptions talk;
  StreamCommand stream;
  const CLI::Option* method_flag = nullptr;

  ExitCode run() const;

 private:
  StreamRequest stream_request() const;
  ExitCode run_stream(const Communicator& processes) const;
  std::optional<RawLayout> raw_layout() const;
  DecomposeJob complete_job(const ConsoleOptions& voice) const;
  [[noreturn]] void throw_cancelled() const;
};

/// What a stream cannot heed is refused, not ignored.
StreamRequest DecomposeCommand::stream_request() const {
  StreamRequest request{job.input, rank, job.seed, job.threads, {}, truth, output, job.force, talk};
  const auto refuse = [](std::string_view flag) {
    throw OptionError(fmt::format("{} does not go with --stream: leave one of them out", flag));
  };
  if (method_flag->count() > 0) refuse("--method");
  if (!job.group.empty()) refuse("--group");
  if (!memory.empty()) refuse("--memory");
  if (job.max_seconds != 0) refuse("--max-seconds");
  if (!checkpoint.empty() || !resume.empty()) refuse("--checkpoint or --resume");
  if (!raw_shape.empty()) refuse("--raw-shape");
  for (const auto& [option, value] : job.options) {
    if (option != "noise-width") refuse("--" + option);
    make_method("robust-cp")->set(option, value);  // refuses what is no number
    request.noise_width = std::stod(value);
  }
  return request;
}

ExitCode DecomposeCommand::run_stream(const Communicator& processes) const {
  processes.together([&] {
    if (processes.size() > 1) throw OptionError("--stream is for one process: start only one");
  });
  return stream.run(stream_request());
}

std::optional<RawLayout> DecomposeCommand::raw_layout() const {
  if (raw_shape.empty() && raw_type.empty()) return std::nullopt;
  if (raw_shape.empty() || raw_type.empty()) {
    throw OptionError("--raw-shape and --raw-type go together: give both, or neither");
  }
  const std::optional<ScalarType> type = parse_scalar_type(raw_type);
  if (!type) {
    throw OptionError(fmt::format(
        "--raw-type must be one of f64, f32, u8, u16, i16 and i32, but is '{}'", raw_type));
  }
  return RawLayout{Shape(raw_shape), *type};
}

DecomposeJob DecomposeCommand::complete_job(const ConsoleOptions& voice) const {
  DecomposeJob complete = job;
  complete.rank = parse_rank(rank);
  if (!memory.empty()) complete.memory = parse_bytes("memory", memory);
  complete.raw = raw_layout();
  complete.truth = truth;
  complete.output = output;
  complete.checkpoint = checkpoint;
  complete.resume = resume;
  complete.keep_sparse = false;
  complete.processes_on_machine = launched_on_this_machine();
  complete.on_plan = [this, voice](const MemoryPlan& plan) {
    const bool worth_saying = plan.streamed || !memory.empty() || isatty(STDERR_FILENO) != 0;
    if (voice.for_people() && worth_saying) fmt::print(stderr, "plan: {}\n", plan.in_words());
  };
  complete.on_warning = [voice](const std::string& warning) {
    if (!voice.quiet) fmt::print(stderr, "sunder: {}\n", with_dashes(warning));
  };
  return complete;
}

void DecomposeCommand::throw_cancelled() const {
  const std::string& folder = resume.empty() ? checkpoint : resume;
  if (folder.empty()) throw Cancelled();
  throw Cancelled(
      fmt::format("interrupted; the checkpoint is kept: go on with --resume {}", folder));
}

ExitCode DecomposeCommand::run() const {
  const std::shared_ptr<const Communicator> processes = all_processes();
  if (stream.wanted()) return run_stream(*processes);
  const bool first = processes->rank() == 0;
  const ConsoleOptions voice =
      first ? talk : ConsoleOptions{.quiet = true, .json = false};  // the first speaks for all
  DecomposeJob complete = complete_job(voice);
  complete.communicator = processes;
  JobResult done;
  {
    ProgressBar bar(voice);
    complete.progress = bar.callback();
    done = sunder::run(complete);
  }
  if (done.decomposition.outcome == Outcome::cancelled) {
    processes->together([&] { throw_cancelled(); });
  }
  if (output.empty()) stop_if_interrupted();
  if (voice.json) fmt::print("{}\n", done.summary);
  if (voice.for_people()) print_result(done.run, done.decomposition, rank == "auto", output);
  return done.decomposition.outcome == Outcome::converged ? ExitCode::done : did_not_converge;
}

/// Flags for the options of every method; a name that several have is added once.
void add_method_options(CLI::App& command, std::map<std::string, std::string>& given) {
  std::map<std::string, std::string> help;
  std::set<std::string> switches;
  for (const std::string& name : method_names()) {
    for (const MethodOption& option : make_method(name)->options()) {
      help[option.name] +=
          fmt::format("{}{}: {}{}", help[option.name].empty() ? "" : "; ", name, option.meaning,
                      option.is_switch ? "" : fmt::format(" [{}]", option.value));
      if (option.is_switch) switches.insert(option.name);
    }
  }
  for (const auto& [name, text] : help) {
    if (switches.contains(name)) {
      command
          .add_flag_callback(
              "--" + name, [&given, name = name] { given[name] = "true"; }, text)
          ->group("Options of the methods");
      continue;
    }
    command
        .add_option_function<std::string>(
            "--" + name, [&given, name = name](const std::string& value) { given[name] = value; },
            text)
        ->type_name("NUMBER")
        ->group("Options of the methods");
  }
}

std::string methods_footer() {
  std::string text = "Methods:\n";
  for (const std::string& name : method_names()) {
    text += fmt::format("  {:<15}{}\n", name, make_method(name)->summary());
  }
  return text +
         "\nThe tensor is a .npy file, a variable of a .mat file (FILE.mat:NAME), an HDF5 dataset\n"
         "(FILE.h5:/GROUP/NAME) or a video. NaN marks a missing entry.\n";
}

void add_input_flags(CLI::App& command, DecomposeCommand& state) {
  command.add_option("tensor", state.job.input, "the tensor T")->required()->type_name("FILE");
  command.add_option("--rank,-r", state.rank, "number of components of L, or auto")
      ->required()
      ->type_name("N");
  state.method_flag =
      command.add_option("--method,-m", state.job.method, "how to decompose (listed below)")
          ->capture_default_str()
          ->type_name("METHOD");
  add_output(command, state.output, "folder for the result");
  command.add_flag("--force", state.job.force, "replace a result that is already in the folder");
  command.add_option("--truth", state.truth, "folder with the true L and S, to measure the error")
      ->type_name("FOLDER");
  add_integers(command, "--group", state.job.group,
               "modes to treat as one, as in 0,1 for video as pixels x time")
      ->type_name("MODES");
  command
      .add_option("--memory", state.memory,
                  "memory that the process may use, as in 512M or 2G; a tensor that is larger is "
                  "read part by part [80% of what is free]")
      ->type_name("SIZE");
  add_integers(command, "--raw-shape", state.raw_shape,
               "the file holds nothing but entries, in C order, of a tensor of this shape")
      ->type_name("N,N,...");
  command.add_option("--raw-type", state.raw_type, "and of this type")
      ->type_name("{f64,f32,u8,u16,i16,i32}");
}

void add_run_flags(CLI::App& command, DecomposeCommand& state) {
  add_seed(command, state.job.seed, "seed of the random starts");
  command
      .add_option("--threads", state.job.threads,
                  "threads; 0: one for each processor; the result does not depend on it")
      ->capture_default_str()
      ->type_name("N");
  command
      .add_option("--max-seconds", state.job.max_seconds,
                  "time after which the best result so far is given; 0: no limit")
      ->capture_default_str()
      ->type_name("SECONDS");
  state.talk.add_flags(command);
  command
      .add_option("--checkpoint", state.checkpoint,
                  "folder to keep the state of the work in, to go on after an interruption")
      ->type_name("FOLDER");
  command
      .add_option("--resume", state.resume,
                  "go on from the checkpoint in this folder, with the same tensor and options, and "
                  "keep the state there")
      ->type_name("FOLDER");
  command
      .add_option("--checkpoint-interval", state.job.checkpoint_interval,
                  "seconds between two checkpoints at least; 0: after every step")
      ->capture_default_str()
      ->type_name("SECONDS");
}

}  // namespace

Command add_decompose(CLI::App& command) {
  auto state = std::make_shared<DecomposeCommand>();
  add_input_flags(command, *state);
  add_run_flags(command, *state);
  state->stream.add_flags(command);
  add_method_options(command, state->job.options);
  command.footer(methods_footer());
  return [state] { return state->run(); };
}

}  // namespace sunder::cli
