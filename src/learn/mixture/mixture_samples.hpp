#pragma once
/// Selection of the samples that belong to a mixture, and refinement of its means on them.

#include <vector>

#include "sunder/core/cp_model.hpp"

namespace sunder {

/// Returns the samples within three times the median distance from the coordinate-wise median, in
/// units of each coordinate's own spread.
std::vector<Index> central_samples(const Matrix& samples);

struct SphericalMixture {
  Matrix means;  ///< dimension x components
  Vector weights;
  double variance = 0;
};

/// Returns the samples that some component explains: |x - mu|^2 / sigma^2 is within `width`
/// standard deviations of the mean of a chi-squared variable.
std::vector<Index> explained_samples(const Matrix& samples, const SphericalMixture& mixture,
                                     double width);

/// Runs a step of expectation-maximisation on some of the samples; returns the largest shift of a
/// mean, in standard deviations.
double refine(const Matrix& samples, const std::vector<Index>& kept, SphericalMixture& mixture);

}  // namespace sunder
