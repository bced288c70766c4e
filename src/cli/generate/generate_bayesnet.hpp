#pragma once
/// `sunder generate --model bayesnet`.

#include <filesystem>
#include <nlohmann/json.hpp>

#include "sunder/core/progress.hpp"
#include "sunder/data/bayesnet.hpp"

namespace CLI {
class App;
}

namespace sunder::cli {

void add_bayesnet_options(CLI::App& command, BayesNetDataOptions& options);

/// Returns the names of the files that write_bayesnet() writes, for a StagedFolder.
std::vector<std::string> bayesnet_file_names();

/// Writes X01.npy, X02.npy, ... (samples), covariances.npy (exact) and truth/ (U, w and Sigma).
/// Returns the summary, which is also in truth/.
nlohmann::ordered_json write_bayesnet(const BayesNetDataOptions& options,
                                      const std::filesystem::path& folder,
                                      const ProgressCallback& progress);

}  // namespace sunder::cli
