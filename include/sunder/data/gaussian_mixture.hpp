#pragma once
/// Samples of a mixture of spherical Gaussians, some of which are gross outliers.

#include "sunder/core/cp_model.hpp"
#include "sunder/core/progress.hpp"

namespace sunder {

struct GaussianMixtureOptions {
  Index dimension = 50;
  int components = 10;
  Index samples = 100'000;
  /// Standard deviation of the means' coordinates; samples deviate from their mean by 1.
  double separation = 1;
  double outliers = 0;    ///< share of the samples that are outliers
  double magnitude = 10;  ///< magnitude of an outlier, in units of the rms of a clean sample
  std::uint64_t seed = 1;
};

struct GaussianMixture {
  Matrix samples;                    ///< one sample per row
  Matrix means;                      ///< dimension x components
  Vector weights;                    ///< Dirichlet(5)
  std::vector<std::int32_t> labels;  ///< component of each sample, -1 for outliers
};

/// Throws OptionError when a value is out of range.
void validate(const GaussianMixtureOptions& options);
/// Draws means, weights and samples. Throws Cancelled when the callback cancels.
GaussianMixture generate_gaussian_mixture(const GaussianMixtureOptions& options,
                                          const ProgressCallback& progress = {});

}  // namespace sunder
