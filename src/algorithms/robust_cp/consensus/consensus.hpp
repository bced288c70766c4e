#pragma once
/// Maximum consensus by moves. The value of a model is the number of entries that it fits to
/// rounding; from any exact model, moves try to raise it.

#include "algorithms/robust_cp/consensus/window.hpp"

namespace sunder::robust {

struct ConsensusOptions {
  Index most_components = 0;         ///< of the model
  bool chosen = false;               ///< the rank was chosen from the data, and may grow
  bool sparse_follows_rows = false;  ///< S may follow another model altogether
};

/// The model at which no move helps any more.
struct Consensus {
  Factors factors;
  Index fitted = 0;
  int moves = 0;           ///< that were taken
  bool polished = false;   ///< the entries that it fits, it fits better than before
  Index ties = 0;          ///< rows with another explanation as good
  Index rivals = 0;        ///< other models about as good
  bool may_lack = false;   ///< components may hide in S
  bool cut_short = false;  ///< moves still helped when the search ended
};

Consensus seek_consensus(const Window& window, const Factors& factors,
                         const ConsensusOptions& options, Rng& rng, Monitor& monitor);

}  // namespace sunder::robust
