#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include "cli/cli.hpp"
#include "cli/decompose/checkpoint.hpp"
#include "cli/decompose/decompose_print.hpp"
#include "cli/decompose/decompose_stream.hpp"
#include "cli/decompose/memory_plan.hpp"
#include "cli/processes.hpp"
#include "engine/source/reader_source.hpp"
#include "report/report.hpp"
#include "sunder/algorithms/evaluation.hpp"
#include "sunder/algorithms/method.hpp"
#include "sunder/core/error.hpp"
#include "sunder/io/result_folder.hpp"
#include "sunder/io/sparse_part.hpp"
#include "sunder/io/sparse_writer.hpp"
#include "sunder/io/staged_folder.hpp"
#include "sunder/io/tensor_file.hpp"

namespace sunder::cli {

namespace {

namespace fs = std::filesystem;

struct DecomposeCommand {
  std::string input;
  std::string method = method_names().front();
  std::string rank;  ///< a number, or "auto"
  std::uint64_t seed = 1;
  int threads = 0;
  std::vector<int> group;
  std::string truth;
  std::string output;
  std::string memory;  ///< a size, or empty
  std::vector<std::int64_t> raw_shape;
  std::string raw_type;
  bool force = false;
  Talk talk;
  std::map<std::string, std::string> method_options;  ///< those given on the command line
  CheckpointFlags checkpoint;
  StreamCommand stream;
  const CLI::Option* method_flag = nullptr;

  ExitCode run() const;

 private:
  std::unique_ptr<Method> configured_method() const;
  StreamRequest stream_request() const;
  std::unique_ptr<TensorFile> open() const;
  ExitCode run_whole(const Method& solver, const TensorFile& file, const MemoryPlan& plan) const;
  ExitCode run_on(const std::shared_ptr<const Communicator>& processes) const;
  ExitCode run_stored(const Method& solver, const TensorFile& file, const MemoryPlan& plan,
                      std::shared_ptr<const Communicator> processes) const;
  RunIdentity identity(const Method& solver) const;
  RunOptions run_options(const ProgressCallback& progress) const;
  RunDescription describe(const Method& solver, const TensorFile& file,
                          const MemoryPlan& plan) const;
  void require_truth_of(const CpModel& known, const Shape& shape) const;
  ExitCode finish(const RunDescription& run, const Decomposition& result) const;
};

std::unique_ptr<Method> DecomposeCommand::configured_method() const {
  std::unique_ptr<Method> solver = make_method(method);
  for (const auto& [option, value] : method_options) solver->set(option, value);
  if (threads < 0)
    throw OptionError(fmt::format("--threads must be 0 or more, but is {}", threads));
  return solver;
}

RunOptions DecomposeCommand::run_options(const ProgressCallback& progress) const {
  RunOptions run;
  run.rank = parse_rank(rank);
  run.seed = seed;
  run.threads = threads;
  run.progress = progress;
  return run;
}

/// Without what cannot change the result.
RunIdentity DecomposeCommand::identity(const Method& solver) const {
  RunIdentity identity = {{"--method", method},
                          {"--rank", rank},
                          {"--seed", std::to_string(seed)},
                          {"--group", fmt::format("{}", fmt::join(group, ","))}};
  for (const MethodOption& option : solver.options()) {
    identity.emplace_back("--" + option.name, option.value);
  }
  return identity;
}

void write_result(StagedFolder& folder, const RunDescription& run, const Decomposition& result,
                  const ReportPictures& pictures) {
  write_text(folder.path() / "report.html", render_report(run, result, pictures));
  write_text(folder.path() / "summary.json", render_summary(run, result));
  stop_if_interrupted();
  folder.publish();
}

/// What a stream cannot heed is refused, not ignored.
StreamRequest DecomposeCommand::stream_request() const {
  StreamRequest request{input, rank, seed, threads, {}, truth, output, force, talk};
  const auto refuse = [](std::string_view flag) {
    throw OptionError(fmt::format("{} does not go with --stream: leave one of them out", flag));
  };
  if (method_flag->count() > 0) refuse("--method");
  if (!group.empty()) refuse("--group");
  if (!memory.empty()) refuse("--memory");
  if (checkpoint.wanted()) refuse("--checkpoint or --resume");
  if (!raw_shape.empty()) refuse("--raw-shape");
  for (const auto& [option, value] : method_options) {
    if (option != "noise-width") refuse("--" + option);
    make_method("robust-cp")->set(option, value);  // refuses what is no number
    request.noise_width = std::stod(value);
  }
  return request;
}

std::unique_ptr<TensorFile> DecomposeCommand::open() const {
  if (raw_shape.empty() && raw_type.empty()) return open_tensor(input);
  if (raw_shape.empty() || raw_type.empty()) {
    throw OptionError("--raw-shape and --raw-type go together: give both, or neither");
  }
  const std::optional<ScalarType> type = parse_scalar_type(raw_type);
  if (!type) {
    throw OptionError(fmt::format(
        "--raw-type must be one of f64, f32, u8, u16, i16 and i32, but is '{}'", raw_type));
  }
  return open_raw(input, {Shape(raw_shape), *type});
}

RunDescription DecomposeCommand::describe(const Method& solver, const TensorFile& file,
                                          const MemoryPlan& plan) const {
  RunDescription description;
  description.input = input;
  description.dtype = to_string(file.type());
  description.method = method;
  description.seed = seed;
  description.group = group;
  for (const MethodOption& option : solver.options()) {
    description.options.emplace(option.name, option.value);
  }
  description.plan =
      ReadingPlan{plan.streamed, plan.budget, plan.memory, plan.bytes_to_read, plan.passes};
  return description;
}

void DecomposeCommand::require_truth_of(const CpModel& known, const Shape& shape) const {
  if (known.shape() == shape) return;
  throw InputError(fmt::format("the truth in {} has shape {}, but the tensor has shape {}", truth,
                               to_string(known.shape()), to_string(shape)));
}

ExitCode DecomposeCommand::finish(const RunDescription& run, const Decomposition& result) const {
  stop_if_interrupted();
  if (talk.json) fmt::print("{}\n", render_summary(run, result));
  if (talk.for_people()) print_result(run, result, rank == "auto", output);
  return result.outcome == Outcome::converged ? done : did_not_converge;
}

ExitCode DecomposeCommand::run_whole(const Method& solver, const TensorFile& file,
                                     const MemoryPlan& plan) const {
  std::optional<LowRankPlusSparse> known;
  if (!truth.empty()) known = read_low_rank_plus_sparse(truth);
  std::optional<StagedFolder> folder;
  if (!output.empty()) folder.emplace(output, result_file_names(), force);
  const LoadedTensor loaded = file.load();
  const TensorView tensor = group.empty() ? loaded.view : loaded.view.grouped(group);
  require_decomposable(tensor.shape());
  if (known) require_truth_of(known->low_rank, tensor.shape());
  MemorySource source(loaded.view);
  const std::unique_ptr<StateKeeper> keeper =
      checkpoint.open(identity(solver), source, SerialCommunicator(), talk, force);
  Decomposition result;
  {
    ProgressBar bar(talk);
    RunOptions run = run_options(bar.callback());
    run.collect_sparse = folder || known;
    run.true_low_rank = known ? &known->low_rank : nullptr;
    run.state_keeper = keeper.get();
    result = solver.decompose(tensor, run);
  }
  if (result.outcome == Outcome::cancelled) checkpoint.throw_cancelled();
  RunDescription description = describe(solver, file, plan);
  if (known) description.evaluation = evaluate(result, known->low_rank, known->sparse);
  if (folder) {
    write_low_rank_plus_sparse(folder->path(), result.low_rank, result.sparse);
    write_result(*folder, description, result,
                 {sample_slices(tensor, result.low_rank, result.sparse), tensor.shape(), ""});
  }
  return finish(description, result);
}

/// Where the first process writes, which the others are told.
fs::path part_path(const fs::path& staging, int process) {
  return staging / fmt::format(".part-{}", process);
}

/// The tensor stays in its file, each process reads its share, and S goes to its files as it is
/// found. What only the first process does, it does while the others wait for how it ended.
ExitCode DecomposeCommand::run_stored(const Method& solver, const TensorFile& file,
                                      const MemoryPlan& plan,
                                      std::shared_ptr<const Communicator> processes) const {
  const bool first = processes->rank() == 0;
  StoredTensor tensor;
  Shape shape;
  std::optional<CpModel> known;
  std::optional<SupportCounter> support;
  std::optional<StagedFolder> folder;
  std::optional<SparseWriter> writer;
  processes->together([&] {
    tensor.reader = file.reader();
    tensor.layout = tensor.reader->layout();
    tensor.window_entries = plan.window_entries;
    if (!group.empty()) tensor.layout = tensor.layout.grouped(group);
    shape = tensor.layout.shape();
    require_decomposable(shape);
    if (!truth.empty()) {
      known = read_low_rank(truth);
      require_truth_of(*known, shape);
      support.emplace(truth, shape);
    }
    if (!first || output.empty()) return;
    folder.emplace(output, result_file_names(), force);
    writer.emplace(folder->path(), support ? &*support : nullptr);
  });
  const fs::path staging = text_of_first(*processes, folder ? folder->path().string() : "");
  std::optional<SparsePart> part;
  if (!first && !output.empty()) part.emplace(part_path(staging, processes->rank()));
  ReaderSource source(tensor.reader, tensor.reader->layout(), 1);
  const std::unique_ptr<StateKeeper> keeper =
      checkpoint.open(identity(solver), source, *processes, talk, force);
  Decomposition result;
  {
    ProgressBar bar(talk);
    RunOptions run = run_options(bar.callback());
    run.state_keeper = keeper.get();
    run.collect_sparse = false;
    run.communicator = processes;
    // All must decide alike what fits.
    run.memory = number_of_first(*processes, plan.core_memory);
    if (support) run.sparse_receiver = &*support;
    if (writer) run.sparse_receiver = &*writer;
    if (part) run.sparse_receiver = &*part;
    result = solver.decompose(tensor, run);
  }
  if (result.outcome == Outcome::cancelled) {
    processes->together([&] { checkpoint.throw_cancelled(); });
  }
  processes->together([&] {
    if (part) part->finish();
  });
  RunDescription description = describe(solver, file, plan);
  processes->together([&] {
    if (!first) return;
    for (int other = 1; writer && other < processes->size(); ++other) {
      fetch_part(part_path(staging, other), *writer);
    }
    if (writer) writer->finish(shape);
    if (known) {
      constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
      const bool all = support->known() && (writer || processes->size() == 1);
      description.evaluation = evaluate_low_rank(result, *known);
      description.evaluation->support = all ? support->score() : SupportScore{unknown, unknown};
    }
    if (!folder) return;
    write_low_rank(folder->path(), result.low_rank);
    write_result(*folder, description, result,
                 {std::nullopt, shape, "The tensor was read part by part, and none was kept."});
  });
  return finish(description, result);
}

ExitCode DecomposeCommand::run() const {
  const std::shared_ptr<const Communicator> processes = all_processes();
  if (processes->rank() > 0) {
    DecomposeCommand silent = *this;
    silent.talk = {.quiet = true, .json = false};
    return silent.run_on(processes);
  }
  return run_on(processes);
}

ExitCode DecomposeCommand::run_on(const std::shared_ptr<const Communicator>& processes) const {
  if (stream.wanted()) {
    processes->together([&] {
      if (processes->size() > 1) throw OptionError("--stream is for one process: start only one");
    });
    return stream.run(stream_request());
  }
  const std::unique_ptr<Method> solver = configured_method();
  checkpoint.check(*solver);
  MemoryQuestion question;
  question.rank = parse_rank(rank);  // refused before any work
  question.threads = threads;
  question.lists_sparse = !output.empty() || !truth.empty();
  question.processes = launched_on_this_machine();
  question.in_parts = processes->size() > 1;
  if (!memory.empty()) question.budget = parse_bytes("--memory", memory);
  std::unique_ptr<TensorFile> file;
  MemoryPlan plan;
  processes->together([&] {
    file = open();
    require_decomposable(file->shape());
    plan = plan_memory(*file, *solver, question);
  });
  const bool worth_saying = plan.streamed || !memory.empty() || isatty(STDERR_FILENO) != 0;
  if (talk.for_people() && worth_saying) fmt::print(stderr, "plan: {}\n", plan.in_words());
  return plan.streamed ? run_stored(*solver, *file, plan, processes)
                       : run_whole(*solver, *file, plan);
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

}  // namespace

Command add_decompose(CLI::App& command) {
  auto state = std::make_shared<DecomposeCommand>();
  command.add_option("tensor", state->input, "the tensor T")->required()->type_name("FILE");
  command.add_option("--rank,-r", state->rank, "number of components of L, or auto")
      ->required()
      ->type_name("N");
  state->method_flag =
      command.add_option("--method,-m", state->method, "how to decompose (listed below)")
          ->capture_default_str()
          ->type_name("METHOD");
  add_output(command, state->output, "folder for the result");
  command.add_flag("--force", state->force, "replace a result that is already in the folder");
  command.add_option("--truth", state->truth, "folder with the true L and S, to measure the error")
      ->type_name("FOLDER");
  add_integers(command, "--group", state->group,
               "modes to treat as one, as in 0,1 for video as pixels x time")
      ->type_name("MODES");
  command
      .add_option("--memory", state->memory,
                  "memory that the process may use, as in 512M or 2G; a tensor that is larger is "
                  "read part by part [80% of what is free]")
      ->type_name("SIZE");
  add_integers(command, "--raw-shape", state->raw_shape,
               "the file holds nothing but entries, in C order, of a tensor of this shape")
      ->type_name("N,N,...");
  command.add_option("--raw-type", state->raw_type, "and of this type")
      ->type_name("{f64,f32,u8,u16,i16,i32}");
  add_seed(command, state->seed, "seed of the random starts");
  command
      .add_option("--threads", state->threads,
                  "threads; 0: one for each processor; the result does not depend on it")
      ->capture_default_str()
      ->type_name("N");
  state->talk.add_flags(command);
  state->checkpoint.add_flags(command);
  state->stream.add_flags(command);
  add_method_options(command, state->method_options);
  command.footer(methods_footer());
  return [state] { return state->run(); };
}

}  // namespace sunder::cli
