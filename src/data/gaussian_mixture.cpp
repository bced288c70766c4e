#include "sunder/data/gaussian_mixture.hpp"

#include <cmath>

#include "core/require_option.hpp"
#include "sunder/core/rng.hpp"

namespace sunder {

namespace {

enum Stream : std::uint64_t { mean_stream = 60, sample_stream };

constexpr int twice_concentration = 10;  // the weights have the distribution Dirichlet(5)
constexpr Index report_every = 4096;

Vector random_weights(int components, Rng& rng) {
  Vector weights = Vector::Zero(components);
  for (double& weight : weights) {
    for (int k = 0; k < twice_concentration; ++k) weight += std::pow(rng.normal(), 2);
  }
  return weights / weights.sum();
}

std::int32_t drawn(const Vector& weights, Rng& rng) {
  double at = rng.uniform();
  for (Index k = 0; k + 1 < weights.size(); ++k) {
    if (at < weights[k]) return static_cast<std::int32_t>(k);
    at -= weights[k];
  }
  return static_cast<std::int32_t>(weights.size() - 1);
}

}  // namespace

void validate(const GaussianMixtureOptions& options) {
  require_option(options.dimension >= 1, "dimension", "at least 1", options.dimension);
  require_option(options.components >= 1, "components", "at least 1", options.components);
  require_option(options.samples >= 1, "samples", "at least 1", options.samples);
  require_option(options.separation > 0, "separation", "positive", options.separation);
  require_option(options.outliers >= 0 && options.outliers < 1, "outliers",
                 "a share, at least 0 and below 1", options.outliers);
  require_option(options.magnitude >= 0, "magnitude", "not negative", options.magnitude);
}

GaussianMixture generate_gaussian_mixture(const GaussianMixtureOptions& options,
                                          const ProgressCallback& progress) {
  validate(options);
  const Index n = options.dimension;
  GaussianMixture made;
  Rng rng(options.seed, mean_stream);
  made.means =
      Matrix::NullaryExpr(n, options.components, [&] { return options.separation * rng.normal(); });
  made.weights = random_weights(options.components, rng);
  made.samples.resize(options.samples, n);
  const double typical = std::sqrt(1 + options.separation * options.separation);
  Rng draw(options.seed, sample_stream);
  for (Index i = 0; i < options.samples; ++i) {
    if (i % report_every == 0) {
      const double done = static_cast<double>(i) / static_cast<double>(options.samples);
      report_or_throw(progress, "samples", done);
    }
    const bool outlier = draw.bernoulli(options.outliers);
    const std::int32_t label = drawn(made.weights, draw);
    made.labels.push_back(outlier ? -1 : label);
    for (Index j = 0; j < n; ++j) {
      const double z = draw.normal();
      made.samples(i, j) = outlier ? options.magnitude * typical * z : made.means(j, label) + z;
    }
  }
  return made;
}

}  // namespace sunder
