#pragma once
/// Which samples belong to a mixture, and the refinement of its means on them.

#include <vector>

#include "sunder/core/cp_model.hpp"

namespace sunder {

/// The samples that are not far beyond the others: within three times the median distance from the
/// coordinate-wise median, in units of each coordinate's own spread.
std::vector<Index> central_samples(const Matrix& samples);

struct SphericalMixture {
  Matrix means;  ///< dimension x components
  Vector weights;
  double variance = 0;
};

/// The samples that some component explains: |x - mu|^2 / sigma^2 within `width` standard
/// deviations of a chi-squared variable from its mean.
std::vector<Index> explained_samples(const Matrix& samples, const SphericalMixture& mixture,
                                     double width);

/// A step of expectation-maximisation on some of the samples. Returns how far the means moved, in
/// standard deviations.
double refine(const Matrix& samples, const std::vector<Index>& kept, SphericalMixture& mixture);

}  // namespace sunder
