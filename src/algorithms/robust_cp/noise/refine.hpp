#pragma once
/// Fisher scoring for factors and noise together: each step is one read of the data.

#include <functional>
#include <limits>
#include <optional>

#include "algorithms/cp/mode_constraints.hpp"
#include "algorithms/robust_cp/levels/noise.hpp"
#include "algorithms/robust_cp/noise/model/likelihood.hpp"

namespace sunder::robust {

struct RefineOptions {
  int steps = 25;
  int least_steps = 1;
  double enough_gain = levels::noise::enough_gain;  ///< nats for each unknown
  bool exact_if_slow = true;  ///< steps with the weights themselves where Grams converge slowly
  ModeConstraints constraints = {};
  /// Nats for each entry: a fit that is still worse after a few steps is given up.
  double hopeless = std::numeric_limits<double>::infinity();
};

/// Factors, their noise, and how well they explain the data.
struct NoisyFit {
  Factors factors;
  NoiseModel noise;
  double nats = 0;            ///< - log density for each entry
  double signal_promise = 0;  ///< nats that a variance which depends on |L| would save
  int steps = 0;
  std::vector<Vector> inlier_shares;  ///< of each slice of each mode
  ResidualCounts residuals;
  NoiseModel counted_under;  ///< the noise of the pass that counted the residuals
};

template <class Archive>
void describe(Archive& archive, NoisyFit& fit) {
  archive(fit.factors);
  archive(fit.noise);
  archive(fit.nats);
  archive(fit.signal_promise);
  archive(fit.steps);
  archive(fit.inlier_shares);
  archive(fit.residuals.counts);
  archive(fit.counted_under);
}

/// Reads all data under a model. The weights are of the core, if the data are one.
using ReadLikelihood =
    std::function<LikelihoodSums(const Factors&, const NoiseModel&, EntryWeights*)>;

/// From these factors and this noise on a core.
NoisyFit refine(const DenseCore& core, Factors factors, NoiseModel noise,
                const RefineOptions& options, Monitor& monitor);
/// The same on any data. Steps with the weights themselves need a core.
NoisyFit refine(const ReadLikelihood& read, Factors factors, NoiseModel noise,
                const RefineOptions& options, Monitor& monitor);

}  // namespace sunder::robust
