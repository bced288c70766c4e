#pragma once
/// report.html of `sunder learn bayesnet`.

#include <optional>
#include <string>
#include <vector>

#include "sunder/learn/bayesnet.hpp"

namespace sunder::cli {

/// Errors relative to a known truth.
struct BayesNetErrors {
  BayesNetScore score;
  /// Error of U if Sigma were known, the best that the samples allow; nullopt for exact
  /// covariances.
  std::optional<double> error_known_noise;
};

struct BayesNetPage {
  std::string input;
  std::vector<std::string> names;        ///< names of the networks
  std::optional<BayesNetErrors> errors;  ///< if the truth is known
};

std::string render_bayesnet(const BayesNetPage& about, const BayesNet& net);

}  // namespace sunder::cli
