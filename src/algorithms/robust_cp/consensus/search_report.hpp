#pragma once

#include "sunder/core/shape.hpp"

namespace sunder::robust {

/// What the search for a model that fits more entries has found, at its end.
struct SearchReport {
  int moves = 0;           ///< that were taken
  Index ties = 0;          ///< rows for which another one fits as many entries
  bool may_lack = false;   ///< components fit entries of S, but too few to be sure of them
  bool cut_short = false;  ///< the search ended before it was done
  double box_side = 0;     ///< a component on a box of this many rows in every mode would show
};

}  // namespace sunder::robust
