/// `sunder learn mixture`: learns the means of a mixture from samples or from their moments.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>

#include "cli/learn/learn.hpp"
#include "cli/learn/learn_command.hpp"
#include "core/stopwatch.hpp"
#include "sunder/core/error.hpp"
#include "sunder/io/npy.hpp"
#include "sunder/learn/component_score.hpp"
#include "sunder/learn/mixture_model.hpp"

namespace sunder::cli {

namespace {

using Json = LearnCommand::Json;

struct LearnMixtureCommand : LearnCommand {
  std::string samples;
  MixtureOptions options;

  ExitCode run();

 private:
  MixtureModel learn(Json& summary);
  static void evaluate(const MixtureModel& model, const LatentTruth& truth, Json& summary);
  void print(const MixtureModel& model, const LearnedVariables& variables,
             const Json& summary) const;
};

MixtureModel LearnMixtureCommand::learn(Json& summary) {
  ProgressBar bar(console);
  options.progress = bar.callback();
  options.robust = !plain;
  if (moments.given()) {
    if (!samples.empty()) throw OptionError("give samples or moments, not both");
    summary["input"] = moments.third;
    return learn_mixture(moments.read(), options);
  }
  if (samples.empty()) throw OptionError("give samples, or moments with --m1, --m2 and --m3");
  summary["input"] = samples;
  const Matrix rows = read_matrix(samples);
  summary["samples"] = rows.rows();
  return learn_mixture(rows, options);
}

void LearnMixtureCommand::evaluate(const MixtureModel& model, const LatentTruth& truth,
                                   Json& summary) {
  const ComponentScore score =
      score_components(model.means, truth.components, ColumnDistance::euclidean);
  summary["mean_error"] = score.mean_error;
  summary["error"] = score.error;
  summary["matched"] = score.partner;
  summary["moment_mean_error"] =
      score_components(model.moment_means, truth.components, ColumnDistance::euclidean).mean_error;
  if (truth.corrupted) describe_flags(summary, model.corrupted, *truth.corrupted);
}

void LearnMixtureCommand::print(const MixtureModel& model, const LearnedVariables& variables,
                                const Json& summary) const {
  fmt::print("{}\n", summary["input"].get<std::string>());
  for (Index k = 0; k < model.means.cols(); ++k) {
    fmt::print("  component {:<3} {:6.2f}%  |mean| {:.4g}\n", k, 100 * model.weights[k],
               model.means.col(k).norm());
  }
  if (summary.contains("samples")) {
    fmt::print("  standard deviation {:.4g}; {} of {} samples are outliers\n",
               std::sqrt(model.variance), grouped_digits(summary["outliers"].get<Index>()),
               grouped_digits(summary["samples"].get<Index>()));
  }
  if (!plain) fmt::print("  {}\n", corruption_sentence(variables, "variable"));
  fmt::print("  certified {}: {}\n", to_string(model.fit.certificate.level),
             with_dashes(model.fit.certificate.explanation));
  if (summary.contains("mean_error")) {
    fmt::print("  mean distance of the matched means {:.4g}, from the moments alone {:.4g}\n",
               summary["mean_error"].get<double>(), summary["moment_mean_error"].get<double>());
  }
  print_end(model.fit, summary);
}

LearnPage page_of(const MixtureModel& model, const LearnedVariables& variables,
                  const std::string& input) {
  LearnPage page{"Mixture",
                 input,
                 fmt::format("{} samples are outliers; {}.", model.outliers.size(),
                             corruption_sentence(variables, "variable")),
                 {},
                 "Weights and lengths of the means.",
                 "variable"};
  page.components.columns = {"component", "weight", "length of the mean"};
  for (Index k = 0; k < model.means.cols(); ++k) {
    page.components.rows.push_back(
        {static_cast<double>(k), model.weights[k], model.means.col(k).norm()});
  }
  return page;
}

ExitCode LearnMixtureCommand::run() {
  std::optional<StagedFolder> folder = stage({"means.npy", "outliers.npy"});
  Json summary = {{"sunder", SUNDER_VERSION}, {"model", "mixture"}};
  const std::optional<LatentTruth> known = read_truth(truth, "means.npy");
  const Stopwatch clock;
  const MixtureModel model = learn(summary);
  if (model.fit.outcome == Outcome::cancelled) throw Cancelled();
  const LearnedVariables variables{{}, model.strength, model.corrupted};
  const Learned learned{model.weights, model.fit, variables};
  summary["dimension"] = model.means.rows();
  summary["components"] = model.means.cols();
  summary["variance"] = model.variance;
  summary["outliers"] = model.outliers.size();
  summary["seed"] = options.seed;
  describe(summary, learned, clock.seconds());
  if (known) evaluate(model, *known, summary);
  if (folder) {
    write_npy(folder->path() / "means.npy", model.means);
    write_npy(folder->path() / "outliers.npy", model.outliers, 1);
    write(*folder, page_of(model, variables, summary["input"]), learned, summary);
  }
  print_json(summary);
  if (console.for_people()) print(model, variables, summary);
  return exit_code(model.fit);
}

}  // namespace

Command add_learn_mixture(CLI::App& command) {
  auto state = std::make_shared<LearnMixtureCommand>();
  command
      .add_option("samples", state->samples,
                  "a matrix with one sample per row, in .npy, .mat or HDF5")
      ->type_name("SAMPLES");
  command.add_option("--components,-k", state->options.components, "number of components")
      ->required();
  command
      .add_option("--width", state->options.width,
                  "samples and moments that deviate by more than this many standard deviations are "
                  "corrupted")
      ->capture_default_str();
  command
      .add_option("--refinements", state->options.refinements,
                  "largest number of expectation-maximisation steps after the moments")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  state->add_flags(command, "means", state->options.seed, state->options.threads);
  command.footer(
      "Writes means.npy (dimension x components), weights.npy, outliers.npy (samples, from 0),\n"
      "strength.npy and corrupted.npy (of the variables), report.html and summary.json. See\n"
      "docs/learn_mixture.md.");
  return [state] { return state->run(); };
}

}  // namespace sunder::cli
