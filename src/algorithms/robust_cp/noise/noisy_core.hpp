#pragma once
/// The fit of a core under noise: a tournament of starts that the likelihood judges, and the noise
/// model that pays.

#include <string>

#include "algorithms/robust_cp/noise/refine.hpp"

namespace sunder::robust {

/// The best fit of a core, and what speaks for it.
struct NoisySolution {
  NoisyFit fit;
  std::string start;     ///< that the fit came from
  int agreeing = 0;      ///< other starts that led to the same L
  double rival_gap = 0;  ///< nats for each entry to the best fit with another L; 0 if there is none
  std::string rival;     ///< the start of that fit; empty if there is none
  /// The share of the squares of L on inliers over the share of inliers: far below 1 where large
  /// entries of L are taken for errors.
  double support = 1;
  double rival_distance = 0;  ///< between the two L, relative
  double count_unit = 0;      ///< entries are whole multiples of it; 0 if they are not

  /// Whether the fit was reached more than once, or no other comes near it.
  bool is_confirmed() const;
  /// Whether entries are counts, and inliers are nearer to L than whole numbers are to anything
  /// that is not whole: then L explains the most frequent count alone.
  bool explains_one_count() const;
};
template <class Archive>
void describe(Archive& archive, NoisySolution& solution) {
  archive(solution.fit);
  archive(solution.start);
  archive(solution.agreeing);
  archive(solution.rival_gap);
  archive(solution.rival);
  archive(solution.rival_distance);
  archive(solution.support);
  archive(solution.count_unit);
}

/// The tournament alone: which L, roughly, and whether another start led to it.
NoisySolution hold_noisy_start(const DenseCore& core, int rank, const ModeConstraints& constraints,
                               Rng& rng, Monitor& monitor, NoiseFamily family);
/// The rest, from a solution of the tournament. Other entries may be missing than there were.
NoisySolution fit_noisy_core_from(const DenseCore& core, const NoisySolution& known,
                                  const ModeConstraints& constraints, Rng& rng, Monitor& monitor,
                                  NoiseFamily family);

NoisySolution fit_noisy_core(const DenseCore& core, int rank, const ModeConstraints& constraints,
                             Rng& rng, Monitor& monitor,
                             NoiseFamily family = NoiseFamily::automatic);

}  // namespace sunder::robust
