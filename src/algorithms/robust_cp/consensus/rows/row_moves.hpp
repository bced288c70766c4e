#pragma once
/// Rows of the factors that can be exchanged for others which fit more entries of a window.

#include "algorithms/robust_cp/consensus/window.hpp"

namespace sunder::robust {

struct RowMoves {
  Index gain = 0;  ///< entries that the new rows fit beyond the old ones
  Index ties = 0;  ///< rows for which another one fits as many entries and gives another L
};

/// Replaces rows of every mode by rivals that fit more entries, each compared over all of its
/// slice. Rows that no rival can beat, since they fit far more than half, are not looked at.
RowMoves improve_rows(const Window& window, Factors& factors, Rng& rng, Monitor& monitor);

/// Improves rows again and again, a few times at most: after a component was added, exchanged or
/// left out.
void settle_rows(const Window& window, Factors& factors, Rng& rng, Monitor& monitor);

}  // namespace sunder::robust
