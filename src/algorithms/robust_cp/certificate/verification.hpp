#pragma once
/// One read of the whole tensor that finds S and gathers the evidence for `exact`.

#include <optional>
#include <string>

#include "algorithms/robust_cp/core/core_solver.hpp"
#include "algorithms/robust_cp/core/dense_core.hpp"
#include "engine/engine.hpp"
#include "sunder/algorithms/decomposition.hpp"

namespace sunder::robust {

struct VerificationOptions {
  double level = 0;                      ///< S is where |T - L| is at least this
  Precision precision = Precision::f64;  ///< of the arithmetic
  bool collect_sparse = true;            ///< false: S is counted, not listed
  SparseSink sparse_sink = {};           ///< where S goes besides, if given
};

struct Verification {
  double level = 0;     ///< the one of the options
  SparseTensor sparse;  ///< empty unless collected
  PassStatistics statistics;
  std::vector<SliceStatistics> slices;  ///< of each mode
  int bad_slices = 0;                   ///< slices of which too few entries are fitted
  int unknown_slices = 0;               ///< slices of which too few entries are observed
  double weakest_share = 1;             ///< of the entries of a slice, over slices, that are fitted
};

/// What speaks for single components, on entries drawn where each of them is at work.
struct ComponentEvidence {
  int bad = 0;               ///< components that the entries they contribute to do not bear out
  double weakest_share = 1;  ///< of a component's entries that are fitted
};

/// A component can be wrong on a corner of the tensor (where its rows are not zero in any mode)
/// without spoiling a slice. So its entries are drawn by three laws, proportional to its square, to
/// its magnitude and alike wherever it is not zero: under each at least max(.05, `share` / 4) must
/// be fitted, and those must be more than three times its unknowns.
ComponentEvidence examine_components(Engine& engine, const Factors& factors, double level,
                                     double share, Rng& rng);

/// An entry counts for a slice only where the model could be non-zero: every other mode's row is
/// alive. A slice is bad when its fitted share is below max(.08, a quarter of the median slice), or
/// fewer of its entries are fitted than its row needs (determinacy.hpp). It is unknown when fewer
/// than these are observed.
Verification verify(Engine& engine, const Factors& factors, const VerificationOptions& options);

constexpr const char* further_component =
    "a further component shows in what is left, on too few entries to be sure of it";

/// Those that are more than rounding.
Index components_of(const Factors& factors);

/// What speaks against `exact` before T is read: the core itself, or what was lost on the way from
/// it. Empty if nothing does.
std::string objection(const Factors& factors, const CoreSolution& core);

/// What speaks against it afterwards: residuals that are more than rounding, slices, components or
/// directions (directions.hpp) that the entries do not bear out, or rows that they contradict
/// (contradiction.hpp). Empty if nothing does. Of a core that needs more evidence than usual,
/// directions are looked at in any case.
std::string objection(Engine& engine, const Factors& factors, const CoreSolution& core,
                      const Verification& seen, Rng& rng, Monitor& monitor);

struct AskedRank {
  Index rank = 0;
  bool chosen = false;  ///< by the data: nobody knows that these components are all
};

/// What can be said of a model that nothing speaks against: `exact`, unless some of it, or a
/// further component, may be where nobody sees it. `further`: whether S shows one, nothing if S is
/// too long to tell.
Certificate certificate_of(const Factors& factors, const Verification& seen, const AskedRank& asked,
                           const std::optional<bool>& further);

}  // namespace sunder::robust
