// Notation:
//   C_k  covariances, n_k samples behind each    U, w  loadings and variances (bayesnet_fit.hpp)
//   L_k = U diag(w_k) U'                         Sigma_k = C_k - L_k on its support, 0 elsewhere
//   d_i  scale of variable i, the root of its mean variance
//
// The noise of every variable has a variance, so the diagonal of every slice is corrupted. The fit
// treats it as missing, which loses one entry in p, and the diagonal of Sigma is the residual
// there.
#include "sunder/learn/bayesnet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/require_option.hpp"
#include "learn/bayesnet/bayesnet_fit.hpp"
#include "learn/moments/noise_residual.hpp"
#include "sunder/algorithms/robust_cp.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/error.hpp"
#include "sunder/core/matching.hpp"

namespace sunder {

namespace {

constexpr int most_rounds = 10;

using Support = std::vector<Eigen::Array<bool, Eigen::Dynamic, Eigen::Dynamic>>;

void require_covariance(const Matrix& C, Index variables, std::size_t k) {
  if (C.rows() != variables || C.cols() != variables) {
    throw InputError(fmt::format(
        "the covariance of network {} is {} x {}, but that of network 0 has {} variables: all "
        "networks have the same variables",
        k, C.rows(), C.cols(), variables));
  }
  if (!C.allFinite()) {
    throw InputError(
        fmt::format("the covariance of network {} has entries that are not finite", k));
  }
  if ((C - C.transpose()).cwiseAbs().maxCoeff() > 1e-8 * C.cwiseAbs().maxCoeff()) {
    throw InputError(fmt::format(
        "the covariance of network {} is not symmetric: the networks run along the last mode", k));
  }
  Index least = 0;
  if (!(C.diagonal().minCoeff(&least) > 0)) {
    throw InputError(
        fmt::format("variable {} of network {} has no variance: leave it out", least, k));
  }
}

void require_networks(const NetworkCovariances& networks) {
  if (networks.covariances.empty()) throw InputError("there is no network to learn from");
  const Index variables = networks.covariances.front().rows();
  if (variables < 3) {
    throw InputError(fmt::format("a network needs at least 3 variables, but has {}", variables));
  }
  for (std::size_t k = 0; k < networks.covariances.size(); ++k) {
    require_covariance(networks.covariances[k], variables, k);
  }
  const std::size_t counts = networks.samples.size();
  if (counts != 0 && counts != networks.covariances.size()) {
    throw InputError(fmt::format("{} networks have {} numbers of samples: give one for each",
                                 networks.covariances.size(), counts));
  }
  for (const double n : networks.samples) {
    if (!(n >= 2)) throw InputError(fmt::format("a network has {} samples: 2 are the least", n));
  }
}

/// Returns the standard errors of the covariances of normal variables: sqrt((c_ii c_jj + c_ij^2) /
/// (n - 1)), with the model's c_ij, which the noise of the sample does not bias.
Matrix standard_errors(const Matrix& C, const Matrix& modelled, double samples) {
  const Vector variance = C.diagonal();
  return ((variance * variance.transpose() + modelled.cwiseAbs2()) / (samples - 1)).cwiseSqrt();
}

/// Returns the threshold on p-values that keeps the expected share of false discoveries below q
/// (Benjamini and Hochberg 1995); negative if there are no discoveries.
double discovery_threshold(std::vector<double> p, double q) {
  std::sort(p.begin(), p.end());
  const auto m = static_cast<double>(p.size());
  for (std::size_t k = p.size(); k > 0; --k) {
    if (p[k - 1] <= q * static_cast<double>(k) / m) return p[k - 1];
  }
  return -1;
}

class Learner {
 public:
  Learner(const NetworkCovariances& networks, const BayesNetOptions& options)
      : networks_(networks),
        options_(options),
        variables_(networks.covariances.front().rows()),
        count_(std::ssize(networks.covariances)) {}

  BayesNet learn() {
    BayesNet net;
    net.parts = robust_start();
    if (net.parts.outcome == Outcome::cancelled) return net;
    support_ = support_of(net.parts.sparse);
    if (!networks_.samples.empty()) net.rounds = test_and_refit();
    finish(net);
    return net;
  }

 private:
  const Matrix& C(Index k) const { return networks_.covariances[k]; }

  /// Runs robust-cp on the covariances without their diagonals, in units of d, which makes the
  /// standard errors alike. A single network is a matrix, whose U is determined only up to a
  /// rotation.
  Decomposition robust_start() {
    Vector scale = Vector::Zero(variables_);
    for (Index k = 0; k < count_; ++k) scale += C(k).diagonal();
    scale = (scale / static_cast<double>(count_)).cwiseSqrt();
    const bool single = count_ == 1;
    DenseTensor tensor(single ? Shape{variables_, variables_}
                              : Shape{variables_, variables_, count_});
    double* at = tensor.typed<double>().data();
    for (Index i = 0; i < variables_; ++i) {
      for (Index j = 0; j < variables_; ++j) {
        for (Index k = 0; k < count_; ++k, ++at) {
          *at = i == j ? std::numeric_limits<double>::quiet_NaN()
                       : C(k)(i, j) / (scale[i] * scale[j]);
        }
      }
    }
    RunOptions run;
    run.rank = options_.hidden;
    run.seed = options_.seed;
    run.threads = options_.threads;
    run.progress = options_.progress;
    RobustCpOptions solver;
    solver.shared = {{0, 1}};
    if (!single) solver.nonnegative = {2};
    Decomposition found = robust_cp(tensor.view(), run, solver);
    take_loadings(found.low_rank, scale);
    return found;
  }

  void take_loadings(const CpModel& model, const Vector& scale) {
    fit_.U = scale.asDiagonal() * model.factor(0);
    fit_.w.resize(count_, model.rank());
    for (Index l = 0; l < model.rank(); ++l) {
      const double length = fit_.U.col(l).norm();
      if (length > 0) fit_.U.col(l) /= length;
      const double weight = model.weights()[l] * length * length;
      if (model.order() == 3) {
        fit_.w.col(l) = weight * model.factor(2).col(l);
      } else {  // a negative component explains no variance
        fit_.w(0, l) = model.factor(0).col(l).dot(model.factor(1).col(l)) > 0 ? weight : 0;
      }
    }
  }

  Support support_of(const SparseTensor& sparse) const {
    Support support(static_cast<std::size_t>(count_),
                    Eigen::Array<bool, Eigen::Dynamic, Eigen::Dynamic>::Constant(
                        variables_, variables_, false));
    for (Index e = 0; e < sparse.count(); ++e) {
      const ModeIndices at = sparse.coordinates(e);
      const auto k = static_cast<std::size_t>(count_ == 1 ? 0 : at[2]);
      support[k](at[0], at[1]) = support[k](at[1], at[0]) = true;
    }
    return support;
  }

  /// Alternates until the support no longer changes: tests every entry to find the support of
  /// Sigma, and fits U and w to the other entries by weighted least squares.
  int test_and_refit() {
    for (int round = 1;; ++round) {
      const Support tested = significant();
      const bool same =
          round > 1 && std::equal(tested.begin(), tested.end(), support_.begin(),
                                  [](const auto& a, const auto& b) { return (a == b).all(); });
      support_ = tested;
      if (same || round == most_rounds) return round;
      report_or_throw(options_.progress, "fitting the networks");
      const std::vector<Matrix> weights = inlier_weights();
      fit_ = fit_loadings(networks_.covariances, weights, std::move(fit_));
    }
  }

  Matrix errors_of(Index k) const {
    return standard_errors(C(k), explained_covariance(fit_, k), networks_.samples[k]);
  }

  /// Returns the residuals without the chance correlations of the hidden variables, in units of the
  /// error that noise alone leaves where Sigma is zero: sqrt(Sigma_ii Sigma_jj / (n - 1)).
  Matrix scores(Index k) const {
    constexpr double least_share =
        0.1;  // share of a variance; the remainder may be small by chance
    const Matrix L = explained_covariance(fit_, k);
    const Vector noise = (C(k) - L).diagonal().cwiseMax(least_share * C(k).diagonal());
    const Matrix variance = noise * noise.transpose() / (networks_.samples[k] - 1);
    const auto& out = support_[k];
    const Matrix weights = out.select(0, variance.cwiseInverse().array()).matrix();
    return without_hidden_fluctuations(C(k) - L, fit_.U, weights)
        .cwiseQuotient(variance.cwiseSqrt());
  }

  Support significant() const {
    std::vector<Matrix> p;
    std::vector<double> all;
    for (Index k = 0; k < count_; ++k) {
      const Matrix z = scores(k);
      p.emplace_back(z.unaryExpr([](double x) { return std::erfc(std::abs(x) / std::sqrt(2.0)); }));
      for (Index i = 0; i < variables_; ++i) {
        for (Index j = i + 1; j < variables_; ++j) all.push_back(p.back()(i, j));
      }
    }
    const double threshold = discovery_threshold(std::move(all), options_.false_discovery);
    Support support;
    for (const Matrix& values : p) {
      const Matrix upper = values.triangularView<Eigen::StrictlyUpper>();
      const Matrix symmetric = upper + upper.transpose();
      support.emplace_back(symmetric.array() <= threshold);
      support.back().matrix().diagonal().setConstant(false);
    }
    return support;
  }

  std::vector<Matrix> inlier_weights() const {
    std::vector<Matrix> weights;
    for (Index k = 0; k < count_; ++k) {
      weights.emplace_back(errors_of(k).cwiseAbs2().cwiseInverse());
      const auto& out = support_[k];
      weights.back() = out.select(0, weights.back().array()).matrix();
      weights.back().diagonal().setZero();
      weights.back() = (0.5 * (weights.back() + weights.back().transpose())).eval();
    }
    return weights;
  }

  void finish(BayesNet& net) {
    // The sign of a component is free; make its largest loading positive.
    for (Index l = 0; l < fit_.U.cols(); ++l) {
      Index largest = 0;
      fit_.U.col(l).cwiseAbs().maxCoeff(&largest);
      if (fit_.U(largest, l) < 0) fit_.U.col(l) *= -1;
    }
    net.parts.low_rank = CpModel(Vector::Ones(fit_.U.cols()), {fit_.U, fit_.U, fit_.w});
    net.parts.low_rank.normalise();
    net.parts.low_rank.sort_by_weight();
    std::vector<Index> positions;
    std::vector<double> values;
    for (Index i = 0; i < variables_; ++i) {
      for (Index j = 0; j < variables_; ++j) {
        for (Index k = 0; k < count_; ++k) {
          if (i != j && !support_[k](i, j)) continue;
          const double explained = fit_.U.row(i).cwiseProduct(fit_.U.row(j)).dot(fit_.w.row(k));
          positions.push_back((i * variables_ + j) * count_ + k);
          values.push_back(C(k)(i, j) - explained);
          if (i < j) ++net.noise_edges;
          if (i == j && values.back() < 0) ++net.negative_noise;
        }
      }
    }
    net.parts.set_sparse(SparseTensor(Shape{variables_, variables_, count_}, std::move(positions),
                                      std::move(values)));
    net.parts.missing_count = 0;
  }

  const NetworkCovariances& networks_;
  const BayesNetOptions& options_;
  Index variables_;
  Index count_;
  Loadings fit_;
  Support support_;
};

/// Returns the tensor without the entries (i, i, k).
SparseTensor off_diagonal(const SparseTensor& noise) {
  std::vector<Index> positions;
  std::vector<double> values;
  for (Index e = 0; e < noise.count(); ++e) {
    const ModeIndices at = noise.coordinates(e);
    if (at[0] == at[1]) continue;
    positions.push_back(noise.positions()[e]);
    values.push_back(noise.values()[e]);
  }
  return {noise.shape(), std::move(positions), std::move(values)};
}

Loadings loadings_of(const CpModel& model) {
  return {model.factor(0), model.factor(2) * model.weights().asDiagonal()};
}

}  // namespace

Matrix sample_covariance(const TensorView& samples) {
  if (samples.order() != 2 || samples.shape()[0] < 2) {
    throw InputError(
        fmt::format("samples are a matrix, samples x variables, of at least 2 rows, but this is {}",
                    to_string(samples.shape())));
  }
  Matrix X(samples.shape()[0], samples.shape()[1]);
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index j = 0; j < X.cols(); ++j) X(i, j) = samples({i, j});
  }
  if (!X.allFinite()) {
    throw InputError("samples must be finite, but some are NaN or infinite: leave those rows out");
  }
  X.rowwise() -= X.colwise().mean().eval();
  const Matrix covariance = X.transpose() * X / static_cast<double>(X.rows() - 1);
  return 0.5 * (covariance + covariance.transpose());
}

BayesNet learn_bayesnet(const NetworkCovariances& networks, const BayesNetOptions& options) {
  require_networks(networks);
  require_option(options.hidden >= 0, "hidden", "at least 1, or 0 for the automatic choice",
                 options.hidden);
  require_option(options.false_discovery > 0 && options.false_discovery < 1, "false-discovery",
                 "above 0 and below 1", options.false_discovery);
  return Learner(networks, options).learn();
}

CpModel fit_with_known_noise(const NetworkCovariances& networks, const CpModel& true_low_rank,
                             const SparseTensor& true_noise) {
  require_networks(networks);
  std::vector<Matrix> cleaned = networks.covariances;
  for (Index e = 0; e < true_noise.count(); ++e) {
    const ModeIndices at = true_noise.coordinates(e);
    cleaned[at[2]](at[0], at[1]) -= true_noise.values()[e];
  }
  Loadings start = loadings_of(true_low_rank);
  std::vector<Matrix> weights;
  for (std::size_t k = 0; k < cleaned.size(); ++k) {
    const double samples = networks.samples.empty() ? 2 : networks.samples[k];
    const Matrix errors = standard_errors(
        networks.covariances[k], explained_covariance(start, static_cast<Index>(k)), samples);
    weights.emplace_back(errors.cwiseAbs2().cwiseInverse());
  }
  const Loadings fit = fit_loadings(cleaned, weights, std::move(start));
  CpModel model(Vector::Ones(fit.U.cols()), {fit.U, fit.U, fit.w});
  model.normalise();
  return model;
}

BayesNetScore score_bayesnet(const CpModel& low_rank, const SparseTensor& noise,
                             const CpModel& true_low_rank, const SparseTensor& true_noise) {
  if (!(low_rank.shape() == true_low_rank.shape())) {
    throw InputError(fmt::format("the truth has shape {}, but the covariances have shape {}",
                                 to_string(true_low_rank.shape()), to_string(low_rank.shape())));
  }
  const Loadings found = loadings_of(low_rank);
  const Loadings truth = loadings_of(true_low_rank);
  const Matrix cosines = truth.U.transpose() * found.U;
  const std::vector<int> partner = best_assignment(cosines.cwiseAbs());
  double loadings = 0;
  double variances = 0;
  for (Index l = 0; l < truth.U.cols(); ++l) {
    const Index m = partner[l];
    const double sign = m >= 0 && cosines(l, m) < 0 ? -1 : 1;
    loadings += m < 0 ? truth.U.col(l).squaredNorm()
                      : (truth.U.col(l) - sign * found.U.col(m)).squaredNorm();
    variances +=
        m < 0 ? truth.w.col(l).squaredNorm() : (truth.w.col(l) - found.w.col(m)).squaredNorm();
  }
  BayesNetScore score;
  score.error_loadings = std::sqrt(loadings) / truth.U.norm();
  score.error_variances = std::sqrt(variances) / truth.w.norm();
  score.error_low_rank = low_rank.distance(true_low_rank) / true_low_rank.norm();
  score.noise = compare_support(off_diagonal(noise), off_diagonal(true_noise));
  return score;
}

}  // namespace sunder
