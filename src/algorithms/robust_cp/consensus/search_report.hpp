#pragma once

#include "sunder/core/shape.hpp"

namespace sunder::robust {

/// What the search for a model that fits more entries has found, at its end.
struct SearchReport {
  int moves = 0;           ///< that were taken
  Index ties = 0;          ///< rows or models for which another one fits about as many entries
  bool may_lack = false;   ///< components may hide in S
  bool cut_short = false;  ///< the search ended before it was done
  double box_side = 0;     ///< a component on a box of this many rows in every mode would show
};

}  // namespace sunder::robust
