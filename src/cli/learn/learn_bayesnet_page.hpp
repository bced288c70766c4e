#pragma once
/// report.html of `sunder learn bayesnet`.

#include <optional>
#include <string>
#include <vector>

#include "sunder/learn/bayesnet.hpp"

namespace sunder::cli {

/// Beside a known truth.
struct BayesNetErrors {
  BayesNetScore score;
  /// Of U, where Sigma is known: what the samples allow. None for exact covariances.
  std::optional<double> error_known_noise;
};

struct BayesNetPage {
  std::string input;
  std::vector<std::string> names;        ///< of the networks
  std::optional<BayesNetErrors> errors;  ///< where the truth is known
};

std::string render_bayesnet(const BayesNetPage& about, const BayesNet& net);

}  // namespace sunder::cli
