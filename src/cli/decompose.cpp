#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <map>
#include <set>
#include <vector>

#include "cli/cli.hpp"
#include "cli/decompose_stream.hpp"
#include "report/report.hpp"
#include "sunder/algorithms/evaluation.hpp"
#include "sunder/algorithms/method.hpp"
#include "sunder/core/error.hpp"
#include "sunder/io/result_folder.hpp"
#include "sunder/io/staged_folder.hpp"
#include "sunder/io/tensor_file.hpp"

namespace sunder::cli {

namespace {

struct DecomposeCommand {
  std::string input;
  std::string method = method_names().front();
  std::string rank;  ///< a number, or "auto"
  std::uint64_t seed = 1;
  int threads = 0;
  std::vector<int> group;
  std::string truth;
  std::string output;
  bool force = false;
  Talk talk;
  std::map<std::string, std::string> method_options;  ///< those given on the command line
  StreamCommand stream;
  const CLI::Option* method_flag = nullptr;

  ExitCode run() const;

 private:
  std::unique_ptr<Method> configured_method() const;
  StreamRequest stream_request() const;
  Decomposition decompose(const Method& solver, const TensorView& tensor,
                          const CpModel* true_low_rank) const;
  void write(StagedFolder& folder, const RunDescription& run, const Decomposition& result,
             const TensorView& tensor) const;
  void print(const RunDescription& run, const Decomposition& result) const;
};

std::unique_ptr<Method> DecomposeCommand::configured_method() const {
  std::unique_ptr<Method> solver = make_method(method);
  for (const auto& [option, value] : method_options) solver->set(option, value);
  if (threads < 0)
    throw OptionError(fmt::format("--threads must be 0 or more, but is {}", threads));
  return solver;
}

Decomposition DecomposeCommand::decompose(const Method& solver, const TensorView& tensor,
                                          const CpModel* true_low_rank) const {
  ProgressBar bar(talk);
  RunOptions run;
  run.rank = parse_rank(rank);
  run.seed = seed;
  run.threads = threads;
  run.collect_sparse = !output.empty() || !truth.empty();
  run.progress = bar.callback();
  run.true_low_rank = true_low_rank;
  Decomposition result = solver.decompose(tensor, run);
  if (result.outcome == Outcome::cancelled) throw Cancelled();
  return result;
}

void DecomposeCommand::write(StagedFolder& folder, const RunDescription& run,
                             const Decomposition& result, const TensorView& tensor) const {
  const ReportPictures pictures{sample_slices(tensor, result.low_rank, result.sparse),
                                tensor.shape(), ""};
  write_low_rank_plus_sparse(folder.path(), result.low_rank, result.sparse);
  write_text(folder.path() / "report.html", render_report(run, result, pictures));
  write_text(folder.path() / "summary.json", render_summary(run, result));
  stop_if_interrupted();
  folder.publish();
}

/// What was read besides complete passes.
std::string sampled(const Decomposition& result) {
  if (result.entries_sampled == 0) return "";
  return fmt::format(" and {:.3g} times its entries sampled",
                     static_cast<double>(result.entries_sampled) /
                         static_cast<double>(result.low_rank.shape().entries()));
}

/// The heaviest weights: matrix methods have hundreds.
std::string heaviest(const Vector& weights) {
  constexpr Index shown = 20;
  if (weights.size() <= shown) return fmt::format("weights {:.4g}", fmt::join(weights, " "));
  const Vector first = weights.head(shown);
  return fmt::format("weights {:.4g} and {} more", fmt::join(first, " "), weights.size() - shown);
}

void DecomposeCommand::print(const RunDescription& run, const Decomposition& result) const {
  const Index observed = result.low_rank.shape().entries() - result.missing_count;
  const auto line = [](std::string_view name, const std::string& text) {
    fmt::print("  {:<12}{}\n", name, text);
  };
  fmt::print("{}\n", input);
  line("tensor", fmt::format("{}, {}, {} entries, {} missing", to_string(result.low_rank.shape()),
                             run.dtype, grouped_digits(result.low_rank.shape().entries()),
                             grouped_digits(result.missing_count)));
  line("method", fmt::format("{}, rank {}{}, seed {}", method, result.low_rank.rank(),
                             rank == "auto" ? " (chosen)" : "", seed));
  line("outcome",
       fmt::format("{} after {} pass{} over the data{}, {:.2f} s", to_string(result.outcome),
                   result.passes, result.passes == 1 ? "" : "es", sampled(result), result.seconds));
  line("low rank",
       fmt::format("norm {:.6g}, {}", result.low_rank.norm(), heaviest(result.low_rank.weights())));
  line("sparse",
       fmt::format("{} entries, {:.3f}% of those observed, norm {:.6g}",
                   grouped_digits(result.sparse_count),
                   100.0 * static_cast<double>(result.sparse_count) / static_cast<double>(observed),
                   result.sparse_norm));
  line("certified",
       fmt::format("{}: {}", to_string(result.certificate.level), result.certificate.explanation));
  if (run.evaluation) {
    line("truth", fmt::format("relative error of L {:.2e}; support of S: precision {:.4f}, recall "
                              "{:.4f}; components matched {:.4f}",
                              run.evaluation->error_low_rank, run.evaluation->support.precision,
                              run.evaluation->support.recall,
                              fmt::join(run.evaluation->components.cosine, " ")));
  }
  line("written", output.empty()
                      ? "nothing (-o FOLDER keeps the factors, S and a report)"
                      : fmt::format("{} (open {} in a browser)", output,
                                    (std::filesystem::path(output) / "report.html").string()));
}

/// What a stream cannot heed is refused, not ignored.
StreamRequest DecomposeCommand::stream_request() const {
  StreamRequest request{input, rank, seed, threads, {}, truth, output, force, talk};
  const auto refuse = [](std::string_view flag) {
    throw OptionError(fmt::format("{} does not go with --stream: leave one of them out", flag));
  };
  if (method_flag->count() > 0) refuse("--method");
  if (!group.empty()) refuse("--group");
  for (const auto& [option, value] : method_options) {
    if (option != "noise-width") refuse("--" + option);
    make_method("robust-cp")->set(option, value);  // refuses what is no number
    request.noise_width = std::stod(value);
  }
  return request;
}

ExitCode DecomposeCommand::run() const {
  if (stream.wanted()) return stream.run(stream_request());
  const std::unique_ptr<Method> solver = configured_method();
  parse_rank(rank);  // refused before any work
  const std::unique_ptr<TensorFile> file = open_tensor(input);
  require_decomposable(file->shape());
  std::optional<LowRankPlusSparse> known;
  if (!truth.empty()) known = read_low_rank_plus_sparse(truth);
  std::optional<StagedFolder> folder;
  if (!output.empty()) folder.emplace(output, result_file_names(), force);

  const LoadedTensor loaded = file->load();
  const TensorView tensor = group.empty() ? loaded.view : loaded.view.grouped(group);
  require_decomposable(tensor.shape());
  if (known && !(known->low_rank.shape() == tensor.shape())) {
    throw InputError(fmt::format("the truth in {} has shape {}, but the tensor has shape {}", truth,
                                 to_string(known->low_rank.shape()), to_string(tensor.shape())));
  }
  const Decomposition result = decompose(*solver, tensor, known ? &known->low_rank : nullptr);

  RunDescription description;
  description.input = input;
  description.dtype = to_string(file->type());
  description.method = method;
  description.seed = seed;
  description.group = group;
  for (const MethodOption& option : solver->options()) {
    description.options.emplace(option.name, option.value);
  }
  if (known) description.evaluation = evaluate(result, known->low_rank, known->sparse);
  if (folder) write(*folder, description, result, tensor);
  stop_if_interrupted();
  if (talk.json) fmt::print("{}\n", render_summary(description, result));
  if (talk.for_people()) print(description, result);
  return result.outcome == Outcome::converged ? done : did_not_converge;
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
          ->type_name("NAME");
  add_output(command, state->output, "folder for the result");
  command.add_flag("--force", state->force, "replace a result that is already in the folder");
  command.add_option("--truth", state->truth, "folder with the true L and S, to measure the error")
      ->type_name("FOLDER");
  add_integers(command, "--group", state->group,
               "modes to treat as one, as in 0,1 for video as pixels x time")
      ->type_name("MODES");
  add_seed(command, state->seed, "seed of the random starts");
  command
      .add_option("--threads", state->threads,
                  "threads; 0: one for each processor; the result does not depend on it")
      ->capture_default_str()
      ->type_name("N");
  state->talk.add_flags(command);
  state->stream.add_flags(command);
  add_method_options(command, state->method_options);
  command.footer(methods_footer());
  return [state] { return state->run(); };
}

}  // namespace sunder::cli
