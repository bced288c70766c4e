#pragma once
/// Learning latent-variable models from their moments (Anandkumar et al. 2014):
///
///     M2 = sum_k u_k u_k',     M3 = sum_k lambda_k u_k o u_k o u_k,     u_k = sqrt(a_k) mu_k,
///
/// where mu_k is the distribution or the mean of component k. Some entries of both moments may be
/// grossly wrong, as long as they concern only a few variables (docs/learn_topics.md).

#include <cstdint>
#include <string>
#include <vector>

#include "sunder/algorithms/decomposition.hpp"
#include "sunder/core/progress.hpp"

namespace sunder {

struct SymmetricMoments {
  Vector first;   ///< n
  Matrix second;  ///< n x n
  Matrix third;   ///< n x n^2: entry (i, j, k) in row i, column j + n k; symmetric in all three
  Index variables() const { return second.rows(); }
};

/// How the noise of an entry depends on the entry.
enum class MomentNoise {
  even,    ///< the noise is independent of the entry
  counts,  ///< its variance is proportional to the entry, as for counts
};

struct MomentOptions {
  int rank = 0;        ///< number of components, at least 1
  bool robust = true;  ///< false: the plain estimator, whitening and power iterations
  double width = 6;    ///< entries that deviate by more standard deviations are corrupted
  /// Largest number of rounds; each estimates from the kept entries and chooses them anew.
  int max_rounds = 30;
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: one thread per processor; never changes the result
  MomentNoise noise = MomentNoise::even;
  ProgressCallback progress = {};  ///< called often; may cancel
};

struct MomentModel {
  Matrix directions;  ///< u_k in columns: n x r
  Vector cubes;       ///< lambda_k > 0
  Vector strength;    ///< for each variable, the norm of its corruption over that of the model
  std::vector<Index> corrupted;  ///< variables with an outstanding strength, strongest first
  Index corrupted_second = 0;    ///< number of corrupted entries of M2, which the fit ignores
  Index corrupted_third = 0;     ///< number of corrupted entries of M3, which the fit ignores
  /// Rms of M3 minus the model over that of the model, without corrupted entries.
  double residual = 0;
  Outcome outcome = Outcome::converged;
  Certificate certificate;
};

/// Fits the components. `scale` > 0 multiplies each variable during the fit, so that the noise is
/// about even over the entries; it does not change the result for exact moments. Throws InputError
/// for moments whose shapes disagree, that are not finite or not symmetric, or that have fewer than
/// `rank` independent directions; throws OptionError for options out of range.
MomentModel fit_moments(const SymmetricMoments& moments, const Vector& scale,
                        const MomentOptions& options);

/// A corruption that fit_moments() must withstand: the entries of M2 and M3 among the variables of
/// each block grow by 0.5 to 1.5 `magnitude` times themselves. The blocks divide the chosen
/// variables among them. M1 is unchanged: it only sets the scale, and corrupting it too would
/// reduce the influence of the same variables.
struct MomentCorruption {
  double share = 0.05;    ///< share of the variables that are corrupted
  double magnitude = 10;  ///< size of the corruption, relative to the entry
  int blocks = 1;
  std::uint64_t seed = 1;
};
/// Corrupts the moments and returns the corrupted variables in ascending order. Throws OptionError
/// for options out of range.
std::vector<Index> corrupt(SymmetricMoments& moments, const MomentCorruption& corruption);

/// Returns the exact moments of a model.
SymmetricMoments exact_moments(const Matrix& components, const Vector& second_weights,
                               const Vector& third_weights);

}  // namespace sunder
