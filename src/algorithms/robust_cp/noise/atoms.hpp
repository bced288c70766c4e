#pragma once
/// Values that recur exactly in continuous data: zeros that stand for lost entries, and the ends of
/// the range of a sensor.

#include <limits>

#include "algorithms/robust_cp/core/dense_core.hpp"

namespace sunder::robust {

struct Atoms {
  bool zeros = false;  ///< zero recurs, and may stand for lost entries
  /// Entries at these ends are known to lie at or beyond them.
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();

  bool any_end() const { return lowest > -max_ || highest < max_; }
  bool any() const { return zeros || any_end(); }

 private:
  static constexpr double max_ = std::numeric_limits<double>::max();
};
template <class Archive>
void describe(Archive& archive, Atoms& atoms) {
  archive(atoms.zeros);
  archive(atoms.lowest);
  archive(atoms.highest);
}

/// The atoms of a core.
Atoms find_atoms(const DenseCore& core);

/// The core with zeros as missing entries, and with its ends as bounds.
DenseCore with_atoms(DenseCore core, const Atoms& atoms);

/// The core without the entries that were cut off: these count as missing. What they say is true of
/// L only where L lies beyond, which is not known before there is an L.
DenseCore without_ends(DenseCore core);

}  // namespace sunder::robust
