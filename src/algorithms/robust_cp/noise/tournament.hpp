#pragma once
/// Starts of every degree of robustness on a small tensor; the likelihood decides which goes on.

#include <string>
#include <vector>

#include "algorithms/robust_cp/noise/refine.hpp"

namespace sunder::robust {

struct Contender {
  std::string start;
  NoisyFit fit;
  bool is_independent = true;  ///< of the other starts; false if it began at one of their fits
};

struct TournamentResult {
  std::vector<Contender> contenders;  ///< the best first
  bool errors_are_uneven = false;     ///< over the slices: blocks, ridges or bad samples
};

TournamentResult hold_tournament(const DenseCore& part, int rank, Rng& rng, Monitor& monitor);

}  // namespace sunder::robust
