#pragma once
/// Whether the entries that a model fits determine it.

#include <cstdint>

#include "algorithms/cp/mode_constraints.hpp"
#include "algorithms/robust_cp/core/dense_core.hpp"

namespace sunder::robust {

/// How far the solver of a core got with the question whether another model fits as well.
enum class Determinacy : std::uint8_t {
  not_asked = 0,
  determined = 1,      ///< no other model was found
  open_on_fitted = 2,  ///< models near this one fit the same entries
  open_signs = 3,      ///< with other signs of some rows, the model fits the same entries
  open_factors = 4,    ///< the entries determine L, but other factors give the same L
};

/// The number of entries of a slice that must be fitted for its row to be known: 2 r, or all that
/// there are, but more than the r unknowns, since some row fits any r entries, errors or not.
Index entries_needed(Index in_slice, Index rank);

/// Asks whether the entries with |C - L| < level determine L: from factors nearby, Gauss-Newton on
/// these entries alone must lead back to the same L. A difference that remains is where these
/// entries say least. A good part of it (a thousandth of its size) must be on them; otherwise a
/// whole family of models fits them, as where they form a cross of a few slices. All of this must
/// hold without any eighth of the entries, drawn at random, so that no single entry decides, which
/// may be an error. The signs must be determined as well (signs.hpp). Rows with fewer such entries
/// than they need are left out; the pass over T sees their whole slices (conditions/slices.hpp).
///
/// Nothing is tried where each component has at least half of its square on such entries in every
/// slice: it cannot consist of two parts that none of them joins.
Determinacy determinacy_by_fitted(const DenseCore& core, const Factors& factors, double level,
                                  const ModeConstraints& constraints, Rng& rng, Monitor& monitor);

}  // namespace sunder::robust
