#pragma once
/// Related linear Bayesian networks from their covariances: x_(k) = U h_(k) + z_(k), one U for all
/// networks, cov h_(k) = diag(w_(k)), cov z_(k) = Sigma_(k), which is sparse
/// (docs/learn_bayesnet.md).

#include <optional>
#include <vector>

#include "sunder/algorithms/decomposition.hpp"
#include "sunder/core/progress.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder {

struct BayesNetOptions {
  int hidden = 0;                 ///< hidden variables; 0: chosen by robust-cp
  double false_discovery = 0.01;  ///< expected share of wrong ones among the found entries of Sigma
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: one for each processor
  ProgressCallback progress;
};

/// Second moments of the networks, and how well they are known.
struct NetworkCovariances {
  std::vector<Matrix> covariances;  ///< variables x variables, one for each network
  std::vector<double> samples;      ///< behind each of them; empty: the covariances are exact
};

struct BayesNet {
  /// L: weights and (U, U, w), columns of unit length, w not negative. S: Sigma, with its
  /// diagonal. The certificate is that of robust-cp.
  Decomposition parts;
  int rounds = 0;            ///< of testing and fitting again, where there are samples
  Index noise_edges = 0;     ///< pairs of variables with correlated noise, over all networks
  Index negative_noise = 0;  ///< variances of the noise that came out negative: L takes too much
};

/// Of samples x variables. Throws InputError for fewer than two samples or entries that are not
/// finite.
Matrix sample_covariance(const TensorView& samples);

/// Throws InputError for covariances that do not fit together, that are not symmetric or not
/// finite, or that have variables without variance; OptionError for options out of range.
BayesNet learn_bayesnet(const NetworkCovariances& networks, const BayesNetOptions& options);

/// The same L by weighted least squares where Sigma is known, from the true L on: what nobody can
/// do on data of their own, to compare with.
CpModel fit_with_known_noise(const NetworkCovariances& networks, const CpModel& true_low_rank,
                             const SparseTensor& true_noise);

struct BayesNetScore {
  double error_loadings = 0;   ///< ||U - U*||_F / ||U*||_F, columns of unit length, matched
  double error_variances = 0;  ///< ||w - w*||_F / ||w*||_F, matched
  double error_low_rank = 0;   ///< ||L - L*||_F / ||L*||_F
  SupportScore noise;          ///< off the diagonal of Sigma
};
/// Components are matched by the Hungarian method. Throws InputError if the shapes differ.
BayesNetScore score_bayesnet(const CpModel& low_rank, const SparseTensor& noise,
                             const CpModel& true_low_rank, const SparseTensor& true_noise);

}  // namespace sunder
