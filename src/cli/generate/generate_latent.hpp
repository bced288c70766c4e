#pragma once
/// `sunder generate` for models with hidden variables: data, moments, and the truth.

#include <string>

#include "cli/cli.hpp"
#include "sunder/core/shape.hpp"

namespace sunder::cli {

struct LatentOptions {
  int rank = 5;       ///< number of topics or components
  Index words = 200;  ///< size of the vocabulary
  Index documents = 50'000;
  Index length = 100;    ///< mean length of a document
  double alpha0 = 0;     ///< total concentration of latent Dirichlet allocation
  Index dimension = 50;  ///< dimension of the samples
  Index samples = 100'000;
  double separation = 1;         ///< separation of the means, in standard deviations
  double outliers = 0;           ///< share of the samples that are outliers
  std::string moments = "none";  ///< "none", "exact", "sampled"
  double corrupt = 0;            ///< share of the words or variables that are corrupted
  double magnitude = 10;
  int blocks = 1;
  std::uint64_t seed = 1;
};

void add_latent_flags(CLI::App& command, LatentOptions& options);

struct OutputFolder {
  std::string name;
  bool force = false;
};
/// Generates the data; `model` is "topics" or "mixture".
ExitCode generate_latent(const std::string& model, const LatentOptions& options,
                         const OutputFolder& output, const ConsoleOptions& console);

}  // namespace sunder::cli
