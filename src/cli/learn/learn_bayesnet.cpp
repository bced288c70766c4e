#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/learn/learn.hpp"
#include "cli/learn/learn_bayesnet_page.hpp"
#include "report/figures/loading_graph.hpp"
#include "report/report.hpp"
#include "sunder/algorithms/method.hpp"
#include "sunder/core/error.hpp"
#include "sunder/io/result_folder.hpp"
#include "sunder/io/staged_folder.hpp"
#include "sunder/io/tensor_file.hpp"
#include "sunder/learn/bayesnet.hpp"

namespace sunder::cli {

namespace {

using Json = nlohmann::ordered_json;

struct LearnBayesNetCommand {
  std::vector<std::string> files;
  std::string covariances;
  double samples = 0;  ///< samples behind the given covariances; 0: they are exact
  std::string hidden;  ///< a number, or "auto"
  BayesNetOptions options;
  std::string truth;
  std::string output;
  bool force = false;
  ConsoleOptions console;

  ExitCode run() const;

 private:
  NetworkCovariances networks(std::vector<std::string>& names) const;
  std::string input() const;
  Json summary(const BayesNet& net, const std::optional<BayesNetErrors>& errors) const;
  void write(StagedFolder& folder, const BayesNet& net, const std::vector<std::string>& names,
             const std::optional<BayesNetErrors>& errors) const;
  void print(const BayesNet& net, const std::optional<BayesNetErrors>& errors) const;
};

std::string LearnBayesNetCommand::input() const {
  if (!covariances.empty()) return covariances;
  if (files.size() == 1) return files.front();
  return fmt::format("{} ... {}", files.front(), files.back());
}

/// Returns a matrix for each index of the last mode.
std::vector<Matrix> slices_of(const TensorView& stack) {
  std::vector<Matrix> slices;
  for (Index k = 0; k < stack.shape()[2]; ++k) {
    Matrix slice(stack.shape()[0], stack.shape()[1]);
    for (Index i = 0; i < slice.rows(); ++i) {
      for (Index j = 0; j < slice.cols(); ++j) slice(i, j) = stack({i, j, k});
    }
    slices.push_back(std::move(slice));
  }
  return slices;
}

void add_samples(const TensorView& matrix, NetworkCovariances& networks) {
  networks.covariances.push_back(sample_covariance(matrix));
  networks.samples.push_back(static_cast<double>(matrix.shape()[0]));
}

NetworkCovariances LearnBayesNetCommand::networks(std::vector<std::string>& names) const {
  NetworkCovariances result;
  if (!covariances.empty()) {
    const LoadedTensor stack = open_tensor(covariances)->load();
    if (stack.view.order() != 3) {
      throw InputError(fmt::format("covariances are variables x variables x networks, but {} is {}",
                                   covariances, to_string(stack.view.shape())));
    }
    result.covariances = slices_of(stack.view);
    if (samples > 0) result.samples.assign(result.covariances.size(), samples);
    for (std::size_t k = 0; k < result.covariances.size(); ++k)
      names.push_back(fmt::format("{}", k));
    return result;
  }
  for (const std::string& file : files) {
    const LoadedTensor loaded = open_tensor(file)->load();
    if (files.size() > 1 || loaded.view.order() != 3) {
      add_samples(loaded.view, result);
      names.push_back(std::filesystem::path(file).filename().string());
      continue;
    }
    for (const Matrix& network : slices_of(loaded.view)) {
      add_samples(TensorView::of(network.data(), Shape{network.rows(), network.cols()},
                                 StorageOrder::fortran),
                  result);
      names.push_back(fmt::format("{}", names.size()));
    }
  }
  return result;
}

Json LearnBayesNetCommand::summary(const BayesNet& net,
                                   const std::optional<BayesNetErrors>& errors) const {
  RunDescription run;
  run.input = input();
  run.dtype = "f64";
  run.method = "learn bayesnet";
  run.options = {{"hidden", hidden},
                 {"false-discovery", fmt::format("{}", options.false_discovery)},
                 {"samples", fmt::format("{}", samples)}};
  run.seed = options.seed;
  Json json = Json::parse(render_summary(run, net.parts));
  json["variables"] = net.parts.sparse.shape()[0];
  json["networks"] = net.parts.sparse.shape()[2];
  json["hidden"] = net.parts.low_rank.rank();
  json["noise_edges"] = net.noise_edges;
  json["negative_noise"] = net.negative_noise;
  json["rounds"] = net.rounds;
  if (errors) {
    const BayesNetScore& score = errors->score;
    json["truth"] = {{"error_loadings", score.error_loadings},
                     {"error_variances", score.error_variances},
                     {"error_low_rank", score.error_low_rank},
                     {"noise_precision", score.noise.precision},
                     {"noise_recall", score.noise.recall}};
    if (errors->error_known_noise) {
      json["truth"]["error_loadings_known_noise"] = *errors->error_known_noise;
    }
  }
  return json;
}

void LearnBayesNetCommand::write(StagedFolder& folder, const BayesNet& net,
                                 const std::vector<std::string>& names,
                                 const std::optional<BayesNetErrors>& errors) const {
  write_low_rank_plus_sparse(folder.path(), net.parts.low_rank, net.parts.sparse);
  write_text(folder.path() / "graph.svg", loading_graph_svg(net.parts.low_rank));
  write_text(folder.path() / "graph.graphml",
             loading_graph_graphml(net.parts.low_rank, net.parts.sparse));
  write_text(folder.path() / "report.html", render_bayesnet({input(), names, errors}, net));
  write_text(folder.path() / "summary.json", summary(net, errors).dump(2) + "\n");
  stop_if_interrupted();
  folder.publish();
}

void LearnBayesNetCommand::print(const BayesNet& net,
                                 const std::optional<BayesNetErrors>& errors) const {
  const Decomposition& parts = net.parts;
  const auto line = [](std::string_view name, const std::string& text) {
    fmt::print("  {:<12}{}\n", name, text);
  };
  fmt::print("{}\n", input());
  line("networks",
       fmt::format("{} of {} variables", parts.sparse.shape()[2], parts.sparse.shape()[0]));
  line("hidden", fmt::format("{}{}", parts.low_rank.rank(), hidden == "auto" ? " (chosen)" : ""));
  line("noise",
       fmt::format("{} correlated pairs over all networks{}", grouped_digits(net.noise_edges),
                   net.negative_noise > 0
                       ? fmt::format(", {} negative variances", net.negative_noise)
                       : ""));
  line("outcome", fmt::format("{}, {:.2f} s", to_string(parts.outcome), parts.seconds));
  line("certified", fmt::format("{}: {}", to_string(parts.certificate.level),
                                with_dashes(parts.certificate.explanation)));
  if (errors) {
    const BayesNetScore& score = errors->score;
    line("truth",
         fmt::format("relative error of U {:.3g}{}, of w {:.3g}, of L {:.3g}; support of Sigma: "
                     "precision {:.4f}, recall {:.4f}",
                     score.error_loadings,
                     errors->error_known_noise
                         ? fmt::format(" ({:.3g} if Sigma were known)", *errors->error_known_noise)
                         : "",
                     score.error_variances, score.error_low_rank, score.noise.precision,
                     score.noise.recall));
  }
  if (!output.empty()) {
    line("written", fmt::format("{0} (open {0}/report.html in a browser)", output));
  }
}

BayesNetErrors errors_of(const BayesNet& net, const NetworkCovariances& given,
                         const LowRankPlusSparse& known) {
  BayesNetErrors errors;
  errors.score = score_bayesnet(net.parts.low_rank, net.parts.sparse, known.low_rank, known.sparse);
  if (!given.samples.empty()) {
    const CpModel oracle = fit_with_known_noise(given, known.low_rank, known.sparse);
    errors.error_known_noise =
        score_bayesnet(oracle, known.sparse, known.low_rank, known.sparse).error_loadings;
  }
  return errors;
}

ExitCode LearnBayesNetCommand::run() const {
  if (files.empty() == covariances.empty()) {
    throw OptionError("give either files with samples or --covariances, not both");
  }
  if (samples != 0 && covariances.empty()) {
    throw OptionError(
        "--samples is the number of samples behind --covariances: omit it without them");
  }
  BayesNetOptions with = options;
  with.hidden = parse_rank(hidden);
  std::optional<LowRankPlusSparse> known;
  if (!truth.empty()) known = read_low_rank_plus_sparse(truth);
  std::optional<StagedFolder> folder;
  if (!output.empty()) {
    std::vector<std::string> owned = {"graph.svg", "graph.graphml"};
    for (const std::string& name : result_file_names()) owned.push_back(name);
    folder.emplace(output, owned, force);
  }
  std::vector<std::string> names;
  const NetworkCovariances given = networks(names);
  BayesNet net;
  {
    ProgressBar bar(console);
    with.progress = bar.callback();
    net = learn_bayesnet(given, with);
  }
  if (net.parts.outcome == Outcome::cancelled) throw Cancelled();
  std::optional<BayesNetErrors> errors;
  if (known) errors = errors_of(net, given, *known);
  if (folder) write(*folder, net, names, errors);
  if (console.json) fmt::print("{}\n", summary(net, errors).dump(2));
  if (console.for_people()) print(net, errors);
  return net.parts.outcome == Outcome::converged ? done : did_not_converge;
}

}  // namespace

Command add_learn_bayesnet(CLI::App& command) {
  auto state = std::make_shared<LearnBayesNetCommand>();
  command
      .add_option("samples", state->files,
                  "a matrix (samples x variables) for each network, or one array "
                  "(samples x variables x networks)")
      ->type_name("FILE");
  command
      .add_option("--covariances", state->covariances,
                  "covariances instead of samples, variables x variables x networks")
      ->type_name("FILE");
  command
      .add_option("--samples", state->samples,
                  "number of samples behind each of --covariances [0: they are exact]")
      ->check(CLI::NonNegativeNumber)
      ->type_name("N");
  command.add_option("--hidden", state->hidden, "number of hidden variables, or auto")
      ->required()
      ->type_name("N");
  command
      .add_option("--false-discovery", state->options.false_discovery,
                  "expected share of false discoveries among the correlations found in the noise")
      ->capture_default_str()
      ->type_name("NUMBER");
  command
      .add_option("--truth", state->truth, "folder with the true U, w and Sigma, to measure errors")
      ->type_name("FOLDER");
  add_output(command, state->output, "folder for the result");
  command.add_flag("--force", state->force, "replace a result that is already in the folder");
  add_seed(command, state->options.seed, "seed of the random starts");
  command
      .add_option("--threads", state->options.threads,
                  "number of threads; 0: one per processor; the result does not depend on it")
      ->capture_default_str()
      ->type_name("N");
  state->console.add_flags(command);
  command.footer(
      "The result folder holds U (factors_0.npy, factors_1.npy), w (factors_2.npy, weights.npy),\n"
      "Sigma (sparse_*.npy), graph.svg, graph.graphml, report.html and summary.json.");
  return [state] { return state->run(); };
}

}  // namespace sunder::cli
