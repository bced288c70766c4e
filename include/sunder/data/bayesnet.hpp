#pragma once
/// Data of related linear Bayesian networks with a known truth: x_(k) = U h_(k) + z_(k), where
/// h_(k) and z_(k) are normal and independent, cov h_(k) = diag(w_(k)), and cov z_(k) = Sigma_(k)
/// is sparse.

#include <cstdint>
#include <vector>

#include "sunder/core/cp_model.hpp"
#include "sunder/core/progress.hpp"
#include "sunder/core/sparse_tensor.hpp"

namespace sunder {

struct BayesNetDataOptions {
  int variables = 50;
  int hidden = 4;
  int networks = 20;
  int samples = 5000;     ///< samples of each network
  double density = 0.04;  ///< probability that two variables of a network have correlated noise
  double smallest = 0.3;  ///< smallest magnitude of a correlation of the noise
  double largest = 0.6;   ///< largest magnitude; the sign is random
  std::uint64_t seed = 1;
};

struct BayesNetData {
  CpModel low_rank;    ///< U, U, w: unit columns and weights
  SparseTensor noise;  ///< Sigma, variables x variables x networks, including its diagonal
  std::vector<Matrix> covariances;  ///< exact covariances of x, one for each network
  std::vector<Matrix> samples;      ///< samples x variables, one for each network
};

/// Throws OptionError when a value is out of range.
void validate(const BayesNetDataOptions& options);

/// Generates networks and samples. The columns of U have Gaussian entries and unit length; w is
/// uniform such that hidden variables and noise have about the same share of the variance; the
/// noise variances are uniform in (.5, 1.5) and raised where necessary to keep Sigma positive
/// definite. Throws OptionError as validate() does, and Cancelled when the callback cancels.
BayesNetData generate_bayesnet(const BayesNetDataOptions& options,
                               const ProgressCallback& progress = {});

}  // namespace sunder
