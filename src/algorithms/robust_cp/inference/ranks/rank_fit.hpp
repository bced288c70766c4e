#pragma once
/// The fit of one rank to a part of the data, from a warm start and from cold ones.

#include <optional>

#include "algorithms/cp/mode_constraints.hpp"
#include "algorithms/robust_cp/noise/refine.hpp"
#include "sunder/algorithms/inference.hpp"

namespace sunder::robust {

struct RankFit {
  NoisyFit fit;
  RankRecord record;  ///< in the unit of the part
  double unknowns = 0;
};

class RankFitter {
 public:
  /// The arguments outlive this object. `halves`: whether each rank is fitted to halves as well.
  RankFitter(const DenseCore& part, const ModeConstraints& constraints, bool halves, Rng& rng,
             Monitor& monitor);

  /// Starts from a fit of a smaller rank as well, if there is one.
  RankFit fit(int rank, const RankFit* smaller);

  double entries() const { return entries_; }
  double unknowns(int rank) const;

 private:
  NoisyFit cold(int rank);
  NoisyFit warm(int rank, const NoisyFit& smaller);
  NoisyFit obedient(NoisyFit fit);
  void examine(RankFit& found);
  void compare_halves(RankFit& found);

  const DenseCore& part_;
  const ModeConstraints& constraints_;
  bool halves_;
  Rng& rng_;
  Monitor& monitor_;
  double entries_;
};

}  // namespace sunder::robust
