#pragma once
/// Samples of a mixture of spherical Gaussians, some of them gross outliers.

#include "sunder/core/cp_model.hpp"
#include "sunder/core/progress.hpp"

namespace sunder {

struct GaussianMixtureOptions {
  Index dimension = 50;
  int components = 10;
  Index samples = 100'000;
  double separation = 1;  ///< standard deviation of the coordinates of the means; that of a sample
                          ///< around its mean is 1
  double outliers = 0;    ///< share of the samples
  double magnitude = 10;  ///< of an outlier, in units of the rms of a clean sample
  std::uint64_t seed = 1;
};

struct GaussianMixture {
  Matrix samples;                    ///< one in each row
  Matrix means;                      ///< dimension x components
  Vector weights;                    ///< Dirichlet(5)
  std::vector<std::int32_t> labels;  ///< component of each sample, -1 for outliers
};

/// Throws OptionError when a value is out of range.
void validate(const GaussianMixtureOptions& options);
/// Throws Cancelled when the callback says so.
GaussianMixture generate_gaussian_mixture(const GaussianMixtureOptions& options,
                                          const ProgressCallback& progress = {});

}  // namespace sunder
