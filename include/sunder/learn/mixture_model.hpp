#pragma once
/// Mixtures of spherical Gaussians with a common variance, by the method of moments (Hsu and Kakade
/// 2013), from samples of which some are gross outliers.

#include <cstdint>
#include <vector>

#include "sunder/learn/moment_model.hpp"

namespace sunder {

struct MixtureOptions {
  int components = 0;    ///< at least 1, at most the dimension
  bool robust = true;    ///< false: the plain estimator of all samples
  double width = 6;      ///< samples and moments further off, in standard deviations, are corrupted
  int refinements = 50;  ///< steps of expectation-maximisation after the moments, at most
  std::uint64_t seed = 1;
  int threads = 0;                 ///< 0: one for each processor; never changes the result
  ProgressCallback progress = {};  ///< called often; may cancel
};

struct MixtureModel {
  Matrix means;                  ///< dimension x components, the heaviest first
  Vector weights;                ///< sum 1
  double variance = 0;           ///< of each coordinate within a component; 0: not known
  Matrix moment_means;           ///< before the refinement, in the same order
  std::vector<Index> outliers;   ///< samples that belong to no component, in order
  Vector strength;               ///< of the corruption of each variable's moments
  std::vector<Index> corrupted;  ///< variables, strongest first
  MomentModel fit;               ///< of the moments
  int rounds = 0;                ///< of choosing the samples
};

/// `samples` has one in each row. Throws InputError if there are too few or some are not finite.
MixtureModel learn_mixture(const Matrix& samples, const MixtureOptions& options);
/// From M1, M2 = sum_k w_k mu_k mu_k' and M3 = sum_k w_k mu_k o mu_k o mu_k, without the noise
/// terms.
MixtureModel learn_mixture(const SymmetricMoments& moments, const MixtureOptions& options);

/// Moments without the noise terms, of the samples listed, and the variance they were freed of.
struct MixtureMoments {
  SymmetricMoments moments;
  double variance = 0;
};
MixtureMoments mixture_moments(const Matrix& samples, const std::vector<Index>& kept,
                               int components);

}  // namespace sunder
