#pragma once
/// Latent-variable models from their moments (Anandkumar et al. 2014):
///
///     M2 = sum_k u_k u_k',     M3 = sum_k lambda_k u_k o u_k o u_k,     u_k = sqrt(a_k) mu_k,
///
/// where mu_k is the distribution or the mean of component k. Some entries of both moments may be
/// grossly wrong, as long as they concern few of the variables (docs/learn_topics.md).

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

/// How the noise of an entry grows with the entry.
enum class MomentNoise {
  even,    ///< not at all
  counts,  ///< its variance is in proportion to the entry, as for counts
};

struct MomentOptions {
  int rank = 0;         ///< number of components, at least 1
  bool robust = true;   ///< false: the plain estimator, whitening and power iterations
  double width = 6;     ///< entries further off than this many standard deviations are corrupted
  int max_rounds = 30;  ///< of estimating from what is kept and choosing what is kept
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: one for each processor; never changes the result
  MomentNoise noise = MomentNoise::even;
  ProgressCallback progress = {};  ///< called often; may cancel
};

struct MomentModel {
  Matrix directions;  ///< u_k in columns: n x r
  Vector cubes;       ///< lambda_k > 0
  Vector strength;    ///< of each variable: norm of what is corrupted over that of the model
  std::vector<Index> corrupted;  ///< variables whose strength stands out, strongest first
  Index corrupted_second = 0;    ///< entries of M2 that were left out
  Index corrupted_third = 0;     ///< entries of M3 that were left out
  double residual = 0;  ///< rms of M3 minus the model over that of the model, where not corrupted
  Outcome outcome = Outcome::converged;
  Certificate certificate;
};

/// Throws InputError for moments whose shapes disagree or that are not finite, that are not
/// symmetric, or that have fewer than `rank` independent directions; OptionError for options out of
/// range. `scale` > 0 multiplies each variable during the fit, so that noise is about even over the
/// entries; it does not change what exact moments give.
MomentModel fit_moments(const SymmetricMoments& moments, const Vector& scale,
                        const MomentOptions& options);

/// Entries of M2 and M3 among the variables of each block grow by 0.5 to 1.5 `magnitude` times
/// themselves: what fit_moments() must withstand. The blocks share the chosen variables among them.
/// M1 stays: it only sets the scale, and with the same variables corrupted there too the scale
/// would make them count less.
struct MomentCorruption {
  double share = 0.05;    ///< of the variables
  double magnitude = 10;  ///< of the corruption, relative to the entry
  int blocks = 1;
  std::uint64_t seed = 1;
};
/// Returns the variables, in order. Throws OptionError for options out of range.
std::vector<Index> corrupt(SymmetricMoments& moments, const MomentCorruption& corruption);

/// The moments of a model itself.
SymmetricMoments exact_moments(const Matrix& components, const Vector& second_weights,
                               const Vector& third_weights);

}  // namespace sunder
