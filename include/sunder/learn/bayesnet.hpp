#pragma once
/// Learning related linear Bayesian networks from their covariances: x_(k) = U h_(k) + z_(k) with
/// the same U for all networks, cov h_(k) = diag(w_(k)), and a sparse cov z_(k) = Sigma_(k)
/// (docs/learn_bayesnet.md).

#include <optional>
#include <vector>

#include "sunder/algorithms/decomposition.hpp"
#include "sunder/core/progress.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder {

struct BayesNetOptions {
  int hidden = 0;  ///< number of hidden variables; 0: robust-cp chooses it
  /// Expected share of false entries among the entries found in Sigma.
  double false_discovery = 0.01;
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: one thread per processor
  ProgressCallback progress;
};

/// The second moments of the networks, and the number of samples behind them.
struct NetworkCovariances {
  std::vector<Matrix> covariances;  ///< variables x variables, one for each network
  std::vector<double>
      samples;  ///< samples behind each covariance; empty: the covariances are exact
};

struct BayesNet {
  /// L has weights and factors (U, U, w) with columns of unit length and w >= 0. S is Sigma,
  /// including its diagonal. The certificate is that of robust-cp.
  Decomposition parts;
  int rounds = 0;         ///< rounds of testing and refitting; 0 without samples
  Index noise_edges = 0;  ///< pairs of variables with correlated noise, over all networks
  /// Noise variances that came out negative, a sign that L explains too much.
  Index negative_noise = 0;
};

/// Computes the covariance of a matrix samples x variables. Throws InputError for fewer than two
/// samples or for entries that are not finite.
Matrix sample_covariance(const TensorView& samples);

/// Learns L and Sigma. Throws InputError for covariances that differ in size, are not symmetric or
/// not finite, or have a variable without variance; throws OptionError for options out of range.
BayesNet learn_bayesnet(const NetworkCovariances& networks, const BayesNetOptions& options);

/// Fits L by weighted least squares with Sigma known, starting from the true L. It serves as a
/// reference, because with real data neither is known.
CpModel fit_with_known_noise(const NetworkCovariances& networks, const CpModel& true_low_rank,
                             const SparseTensor& true_noise);

struct BayesNetScore {
  double error_loadings = 0;   ///< ||U - U*||_F / ||U*||_F, columns of unit length, matched
  double error_variances = 0;  ///< ||w - w*||_F / ||w*||_F, matched
  double error_low_rank = 0;   ///< ||L - L*||_F / ||L*||_F
  SupportScore noise;          ///< off the diagonal of Sigma
};
/// Matches components by the Hungarian method and compares. Throws InputError if the shapes differ.
BayesNetScore score_bayesnet(const CpModel& low_rank, const SparseTensor& noise,
                             const CpModel& true_low_rank, const SparseTensor& true_noise);

}  // namespace sunder
