#pragma once
/// Learning mixtures of spherical Gaussians with a common variance by the method of moments (Hsu
/// and Kakade 2013), from samples with gross outliers.

#include <cstdint>
#include <vector>

#include "sunder/learn/moment_model.hpp"

namespace sunder {

struct MixtureOptions {
  int components = 0;  ///< number of components, at least 1 and at most the dimension
  bool robust = true;  ///< false: use the plain estimator on all samples
  double width = 6;  ///< samples and moments that deviate by more standard deviations are corrupted
  int refinements = 50;  ///< largest number of expectation-maximisation steps after the moments
  std::uint64_t seed = 1;
  int threads = 0;                 ///< 0: one thread per processor; never changes the result
  ProgressCallback progress = {};  ///< called often; may cancel
};

struct MixtureModel {
  Matrix means;                  ///< dimension x components, sorted by weight, heaviest first
  Vector weights;                ///< sum 1
  double variance = 0;           ///< variance of each coordinate within a component; 0: unknown
  Matrix moment_means;           ///< the means before the refinement, in the same order
  std::vector<Index> outliers;   ///< samples that belong to no component, in ascending order
  Vector strength;               ///< strength of the corruption of each variable's moments
  std::vector<Index> corrupted;  ///< corrupted variables, strongest first
  MomentModel fit;               ///< the fit of the moments
  int rounds = 0;                ///< rounds of choosing the samples
};

/// Learns from samples, one per row. Throws InputError if there are too few or if some are not
/// finite.
MixtureModel learn_mixture(const Matrix& samples, const MixtureOptions& options);
/// Learns from M1, M2 = sum_k w_k mu_k mu_k' and M3 = sum_k w_k mu_k o mu_k o mu_k, without the
/// noise terms.
MixtureModel learn_mixture(const SymmetricMoments& moments, const MixtureOptions& options);

/// Moments of the listed samples without the noise terms, and the variance that was removed.
struct MixtureMoments {
  SymmetricMoments moments;
  double variance = 0;
};
MixtureMoments mixture_moments(const Matrix& samples, const std::vector<Index>& kept,
                               int components);

}  // namespace sunder
