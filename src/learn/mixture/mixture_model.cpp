#include "sunder/learn/mixture_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/require_option.hpp"
#include "learn/mixture/mixture_samples.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace {

constexpr int max_rounds = 10;            // rounds of choosing samples
constexpr double converged_shift = 1e-6;  // of the means, in standard deviations
constexpr double smallest_share = 1e-6;

void check(const Matrix& samples, const MixtureOptions& options) {
  require_option(options.components >= 1, "components", "at least 1", options.components);
  if (options.components > samples.cols()) {
    throw InputError(
        fmt::format("samples of dimension {} can have at most {} components by the method of "
                    "moments, not {}",
                    samples.cols(), samples.cols(), options.components));
  }
  if (samples.rows() < 10 * samples.cols()) {
    throw InputError(fmt::format(
        "{} samples are too few for third moments of dimension {}: at least ten times as many "
        "are needed",
        samples.rows(), samples.cols()));
  }
  if (!samples.allFinite())
    throw InputError("a sample has a coordinate that is not a finite number");
}

MomentOptions moment_options(const MixtureOptions& options, bool robust) {
  MomentOptions fit;
  fit.rank = options.components;
  fit.robust = robust;
  fit.width = options.width;
  fit.seed = options.seed;
  fit.threads = options.threads;
  fit.progress = options.progress;
  return fit;
}

/// Scales the variables: the noise of a moment grows with the root mean square of its variables.
Vector scale_of(const SymmetricMoments& moments, double variance) {
  const Vector squares = moments.second.diagonal().cwiseAbs().array() + variance;
  return squares.cwiseMax(1e-6 * squares.mean()).cwiseSqrt().cwiseInverse();
}

/// Computes w_k = lambda_k^-2 and mu_k = lambda_k u_k, heaviest first.
SphericalMixture mixture_of(const MomentModel& fit, double variance) {
  std::vector<Index> order(fit.cubes.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return fit.cubes[a] < fit.cubes[b]; });
  SphericalMixture mixture{Matrix(fit.directions.rows(), fit.cubes.size()),
                           Vector(fit.cubes.size()), variance};
  for (std::size_t k = 0; k < order.size(); ++k) {
    const double lambda = fit.cubes[order[k]];
    mixture.means.col(static_cast<Index>(k)) = lambda * fit.directions.col(order[k]);
    mixture.weights[static_cast<Index>(k)] = 1 / (lambda * lambda);
  }
  mixture.weights /= mixture.weights.sum();
  return mixture;
}

/// Computes the moments of some samples and fits a mixture to them.
MomentModel fit_samples(const Matrix& samples, const std::vector<Index>& kept,
                        const MixtureOptions& options, bool robust, SphericalMixture& mixture) {
  const MixtureMoments found = mixture_moments(samples, kept, options.components);
  const double variance = std::max(found.variance, std::numeric_limits<double>::min());
  MomentModel fit = fit_moments(found.moments, scale_of(found.moments, variance),
                                moment_options(options, robust));
  if (fit.outcome != Outcome::cancelled) mixture = mixture_of(fit, variance);
  return fit;
}

/// Runs steps of expectation-maximisation; the robust variant chooses its samples anew after each
/// step.
void refine_all(const Matrix& samples, std::vector<Index>& kept, SphericalMixture& mixture,
                const MixtureOptions& options) {
  for (int step = 0; step < options.refinements; ++step) {
    const double moved = refine(samples, kept, mixture);
    mixture.weights = mixture.weights.cwiseMax(smallest_share);
    if (options.robust) kept = explained_samples(samples, mixture, options.width);
    if (moved < converged_shift || kept.empty()) break;
  }
}

std::vector<Index> all_but(const std::vector<Index>& kept, Index count) {
  std::vector<Index> rest;
  std::size_t next = 0;
  for (Index i = 0; i < count; ++i) {
    if (next < kept.size() && kept[next] == i) {
      ++next;
    } else {
      rest.push_back(i);
    }
  }
  return rest;
}

void take(MixtureModel& model, const SphericalMixture& mixture) {
  model.means = mixture.means;
  model.weights = mixture.weights;
  model.variance = mixture.variance;
  model.strength = model.fit.strength;
  model.corrupted = model.fit.corrupted;
}

}  // namespace

MixtureModel learn_mixture(const Matrix& samples, const MixtureOptions& options) {
  check(samples, options);
  MixtureModel model;
  std::vector<Index> kept(samples.rows());
  std::iota(kept.begin(), kept.end(), Index{0});
  SphericalMixture mixture;
  if (options.robust) {
    kept = central_samples(samples);
    // These rounds use the plain estimator, which is fast; the robust one makes the final decision.
    for (; model.rounds < max_rounds; ++model.rounds) {
      model.fit = fit_samples(samples, kept, options, false, mixture);
      std::vector<Index> next = explained_samples(samples, mixture, options.width);
      if (report(options.progress, {.stage = "choosing samples", .pass = model.rounds}) ==
          Continue::cancel) {
        model.fit.outcome = Outcome::cancelled;
        return model;
      }
      // A mixture that explains less than half of the samples does not justify dropping the others.
      if (next == kept || 2 * std::ssize(next) < samples.rows()) break;
      kept = std::move(next);
    }
  }
  model.fit = fit_samples(samples, kept, options, options.robust, mixture);
  if (model.fit.outcome == Outcome::cancelled) return model;
  model.moment_means = mixture.means;
  refine_all(samples, kept, mixture, options);
  take(model, mixture);
  model.outliers = all_but(kept, samples.rows());
  return model;
}

MixtureModel learn_mixture(const SymmetricMoments& moments, const MixtureOptions& options) {
  require_option(options.components >= 1, "components", "at least 1", options.components);
  MixtureModel model;
  model.fit = fit_moments(moments, scale_of(moments, 0), moment_options(options, options.robust));
  if (model.fit.outcome == Outcome::cancelled) return model;
  take(model, mixture_of(model.fit, 0));
  model.moment_means = model.means;
  return model;
}

}  // namespace sunder
