/// `sunder compare`: compares several methods on one tensor.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/cli.hpp"
#include "cli/study/study_page.hpp"
#include "sunder/algorithms/method.hpp"
#include "sunder/core/error.hpp"
#include "sunder/io/result_folder.hpp"
#include "sunder/io/staged_folder.hpp"
#include "sunder/io/tensor_file.hpp"
#include "sunder/study/comparison.hpp"

namespace sunder::cli {

namespace {

using Json = nlohmann::ordered_json;

struct CompareCommand {
  std::string input;
  std::string rank;
  std::string methods = "all";
  std::string truth;
  std::string output;
  bool force = false;
  std::vector<int> group;
  ComparisonOptions options;
  ConsoleOptions console;

  ExitCode run();
};

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    names.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

Json number(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json json_of(const ComparisonRow& row) {
  return {{"method", row.method},
          {"status", status_of(row)},
          {"message", row.message},
          {"certified", to_string(row.certified)},
          {"error_low_rank", number(row.error)},
          {"held_out", number(row.held_out)},
          {"support_precision", row.error ? Json(row.precision) : Json()},
          {"support_recall", row.error ? Json(row.recall) : Json()},
          {"components", row.components},
          {"sparse_fraction", row.sparse_fraction},
          {"passes", row.passes},
          {"entries_sampled", row.entries_sampled},
          {"seconds", row.seconds}};
}

Json json_of(const Comparison& comparison, const CompareCommand& command, const Shape& shape) {
  Json rows = Json::array();
  for (const ComparisonRow& row : comparison.rows) rows.push_back(json_of(row));
  return {{"sunder", SUNDER_VERSION},
          {"input", command.input},
          {"shape", std::vector<Index>(shape.begin(), shape.end())},
          {"rank", command.rank},
          {"seed", command.options.seed},
          {"time_limit", command.options.time_limit},
          {"pass_limit", command.options.pass_limit},
          {"held_out_share", command.truth.empty() ? Json(command.options.held_out) : Json()},
          {"rows", rows},
          {"corruption", to_string(comparison.pattern.kind)},
          {"corruption_unevenness", comparison.pattern.unevenness},
          {"corruption_overlap", comparison.pattern.overlap},
          {"advice", comparison.advice}};
}

std::string csv_of_comparison(const Comparison& comparison) {
  std::string text =
      "method,status,certified,error_low_rank,held_out,components,sparse_fraction,passes,"
      "entries_sampled,seconds\n";
  const auto cell = [](const std::optional<double>& value) {
    return value ? fmt::format("{}", *value) : std::string();
  };
  for (const ComparisonRow& row : comparison.rows) {
    text +=
        fmt::format("{},{},{},{},{},{},{},{},{},{}\n", row.method, status_of(row),
                    to_string(row.certified), cell(row.error), cell(row.held_out), row.components,
                    row.sparse_fraction, row.passes, row.entries_sampled, row.seconds);
  }
  return text;
}

void print(const Comparison& comparison, bool with_truth) {
  fmt::print("{:<18} {:<16} {:>10} {:>9} {:>9} {:>7} {:>9}\n", "method", "outcome",
             with_truth ? "error of L" : "held out", "certified", "in S", "passes", "seconds");
  for (const ComparisonRow& row : comparison.rows) {
    const std::optional<double>& error = with_truth ? row.error : row.held_out;
    fmt::print("{:<18} {:<16} {:>10} {:>9} {:>8.2f}% {:>7} {:>9.2f}\n", row.method, status_of(row),
               error ? fmt::format("{:.2e}", *error) : "-", to_string(row.certified),
               100 * row.sparse_fraction, row.passes, row.seconds);
    if (!row.message.empty()) fmt::print("    {}\n", row.message);
  }
  if (!with_truth) {
    fmt::print("held out: median |T - L| over median |T|, on entries hidden from the methods\n");
  }
  fmt::print("\n{}\n", comparison.advice);
}

ExitCode CompareCommand::run() {
  options.rank = parse_rank(rank);
  if (methods != "all") options.methods = split(methods);
  for (const std::string& name : options.methods)
    make_method(name);  // reject unknown names before any work
  const std::unique_ptr<TensorFile> file = open_tensor(input);
  require_decomposable(file->shape());
  std::optional<LowRankPlusSparse> known;
  if (!truth.empty()) known = read_low_rank_plus_sparse(truth);
  std::optional<StagedFolder> folder;
  if (!output.empty()) {
    folder.emplace(output,
                   std::vector<std::string>{"comparison.csv", "report.html", "comparison.json"},
                   force);
  }
  const LoadedTensor loaded = file->load();
  const TensorView tensor = group.empty() ? loaded.view : loaded.view.grouped(group);
  if (known && !(known->low_rank.shape() == tensor.shape())) {
    throw InputError(fmt::format("the truth in {} has shape {}, but the tensor has shape {}", truth,
                                 to_string(known->low_rank.shape()), to_string(tensor.shape())));
  }
  if (known) {
    options.true_low_rank = &known->low_rank;
    options.true_sparse = &known->sparse;
  }
  Comparison comparison;
  {
    ProgressBar bar(console);
    options.progress = bar.callback();
    comparison = compare_methods(tensor, options);
  }
  const std::string json = json_of(comparison, *this, tensor.shape()).dump(2);
  if (folder) {
    write_text(folder->path() / "comparison.csv", csv_of_comparison(comparison));
    write_text(folder->path() / "report.html", render_comparison(input, comparison));
    write_text(folder->path() / "comparison.json", json + "\n");
    folder->publish();
  }
  if (console.json) fmt::print("{}\n", json);
  if (console.for_people()) print(comparison, known.has_value());
  return done;
}

}  // namespace

Command add_compare(CLI::App& command) {
  auto state = std::make_shared<CompareCommand>();
  command.add_option("tensor", state->input, "the tensor T")->required()->type_name("FILE");
  command.add_option("--rank,-r", state->rank, "number of components of L, or auto")
      ->required()
      ->type_name("N");
  command
      .add_option("--methods,-m", state->methods, "names of methods, separated by commas, or all")
      ->capture_default_str()
      ->type_name("NAMES");
  command.add_option("--truth", state->truth, "folder with the true L and S, to measure errors")
      ->type_name("FOLDER");
  command
      .add_option("--time-limit", state->options.time_limit, "seconds that each method may take")
      ->capture_default_str()
      ->type_name("SECONDS");
  command
      .add_option("--max-passes", state->options.pass_limit,
                  "passes over the data that each method may take; 0: no limit")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber)
      ->type_name("N");
  command
      .add_option("--held-out", state->options.held_out,
                  "without --truth: share of the entries to hide and to judge by")
      ->capture_default_str()
      ->type_name("SHARE");
  add_output(command, state->output, "folder for comparison.json, comparison.csv and report.html");
  command.add_flag("--force", state->force, "replace a comparison that is already in the folder");
  add_integers(command, "--group", state->group,
               "modes to treat as one; 0,1 turns a video into pixels x time")
      ->type_name("MODES");
  add_seed(command, state->options.seed, "seed of the random starts and of the hidden entries");
  command
      .add_option("--threads", state->options.threads, "number of threads; 0: one per processor")
      ->capture_default_str()
      ->type_name("N");
  state->console.add_flags(command);
  command.footer(
      "Every method runs with its default options under the same budget. A method that fails or\n"
      "exceeds the budget gets a row that says so. 'sunder decompose --help' lists the methods.");
  return [state] { return state->run(); };
}

}  // namespace sunder::cli
