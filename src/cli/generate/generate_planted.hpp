#pragma once
/// `sunder generate --model planted`.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sunder/core/progress.hpp"
#include "sunder/data/planted.hpp"

namespace CLI {
class App;
}

namespace sunder::cli {

/// What the command line says of a planted tensor: numbers in `options`, choices by their names.
struct PlantedFlags {
  PlantedOptions options;
  std::string support{to_string(options.support)};
  std::string signs{to_string(options.signs)};
  std::string factors{to_string(options.factors)};
  std::string weights{to_string(options.weights)};
  std::string noise_model{to_string(options.noise_model)};
  std::string bad_kind{to_string(options.bad_kind)};
  std::string dtype{to_string(options.type)};
  std::vector<double> saturate;

  /// Returns the options with all choices made.
  PlantedOptions complete() const;
};

void add_planted_flags(CLI::App& command, PlantedFlags& flags);

/// Writes T.npy and truth/, and returns the summary, which is also in truth/.
nlohmann::ordered_json write_planted(const PlantedFlags& flags, const PlantedOptions& options,
                                     const std::filesystem::path& folder,
                                     const ProgressCallback& progress);

}  // namespace sunder::cli
