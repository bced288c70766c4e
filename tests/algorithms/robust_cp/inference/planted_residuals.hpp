#pragma once
/// Residuals of noise and errors whose truth is known, and their counts as a pass makes them.

#include <cmath>
#include <vector>

#include "algorithms/robust_cp/noise/model/likelihood.hpp"
#include "sunder/core/rng.hpp"

namespace sunder::robust::test {

struct PlantedResiduals {
  int entries = 20000;
  double degrees = 0;  ///< of freedom of the noise, whole; 0: normal
  double share = 0.1;  ///< of errors,
  double least = 3;    ///< which lie between these numbers of standard deviations
  double most = 6;
  bool both_signs = false;
};

struct Residuals {
  std::vector<double> z;
  std::vector<bool> is_error;
  ResidualCounts counts;
  NoiseModel noise;
};

inline double noise_of_degrees(double degrees, Rng& rng) {
  if (degrees == 0) return rng.normal();
  double squares = 0;
  for (int k = 0; k < static_cast<int>(degrees); ++k) squares += std::pow(rng.normal(), 2);
  return rng.normal() * std::sqrt((degrees - 2) / squares);  // of variance one
}

inline Residuals planted_residuals(const PlantedResiduals& options, std::uint64_t seed) {
  Rng rng(seed);
  Residuals residuals;
  residuals.noise.least_variance = 1e-9;
  const ResidualBins bins = residuals.noise.bins();
  constexpr int usual_variance = ResidualCounts::variances / 2;
  for (int i = 0; i < options.entries; ++i) {
    const bool is_error = rng.bernoulli(options.share);
    double z = noise_of_degrees(options.degrees, rng);
    if (is_error) {
      const bool negative = options.both_signs && rng.bernoulli(0.5);
      z += (negative ? -1 : 1) * rng.uniform(options.least, options.most);
    }
    residuals.z.push_back(z);
    residuals.is_error.push_back(is_error);
    residuals.counts.counts[usual_variance * ResidualBins::count + bins.of(z)] += 1;
  }
  return residuals;
}

}  // namespace sunder::robust::test
