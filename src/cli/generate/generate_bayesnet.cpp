#include "cli/generate/generate_bayesnet.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "sunder/core/dense_tensor.hpp"
#include "sunder/io/npy.hpp"
#include "sunder/io/result_folder.hpp"
#include "sunder/io/staged_folder.hpp"

namespace sunder::cli {

namespace {

using Json = nlohmann::ordered_json;

DenseTensor stacked(const std::vector<Matrix>& slices) {
  const Index p = slices.front().rows();
  const auto K = std::ssize(slices);
  DenseTensor tensor(Shape{p, p, K});
  double* at = tensor.typed<double>().data();
  for (Index i = 0; i < p; ++i) {
    for (Index j = 0; j < p; ++j) {
      for (const Matrix& slice : slices) *at++ = slice(i, j);
    }
  }
  return tensor;
}

}  // namespace

void add_bayesnet_options(CLI::App& command, BayesNetDataOptions& options) {
  const auto number = [&](const char* flag, auto& value, const char* help) {
    command.add_option(flag, value, help)->capture_default_str()->type_name("NUMBER");
  };
  number("--variables", options.variables, "bayesnet: observed variables");
  number("--hidden", options.hidden, "bayesnet: hidden variables, which all networks share");
  number("--networks", options.networks, "bayesnet: number of networks");
  number("--edge-density", options.density,
         "bayesnet: probability that two variables of a network have correlated noise");
  number("--edge-smallest", options.smallest, "bayesnet: smallest correlation of the noise");
  number("--edge-largest", options.largest, "bayesnet: largest correlation of the noise");
}

std::vector<std::string> bayesnet_file_names() { return {"truth", "X*.npy", "covariances.npy"}; }

Json write_bayesnet(const BayesNetDataOptions& options, const std::filesystem::path& folder,
                    const ProgressCallback& progress) {
  const BayesNetData made = generate_bayesnet(options, progress);
  const auto digits = fmt::format("{}", made.samples.size()).size();
  // Names have equal length, so that a shell lists the networks in order.
  for (std::size_t k = 0; k < made.samples.size(); ++k) {
    write_npy(folder / fmt::format("X{:0{}}.npy", k + 1, digits), made.samples[k]);
  }
  write_npy(folder / "covariances.npy", stacked(made.covariances).view());
  Json summary;
  summary["model"] = "bayesnet";
  summary["shape"] = {options.variables, options.variables, options.networks};
  summary["rank"] = options.hidden;
  summary["samples"] = options.samples;
  summary["edge_density"] = options.density;
  summary["edge_smallest"] = options.smallest;
  summary["edge_largest"] = options.largest;
  summary["seed"] = options.seed;
  summary["sparse_count"] = made.noise.count();
  write_low_rank_plus_sparse(folder / "truth", made.low_rank, made.noise);
  write_text(folder / "truth" / "summary.json", summary.dump(2) + "\n");
  return summary;
}

}  // namespace sunder::cli
