#pragma once
/// The part of T on which models are compared by the number of entries that they fit: all of T if
/// it is small.

#include "algorithms/cp/mode_constraints.hpp"
#include "algorithms/robust_cp/certificate/rounding.hpp"
#include "algorithms/robust_cp/consensus/components/dense_boxes.hpp"
#include "algorithms/robust_cp/core/dense_core.hpp"
#include "algorithms/robust_cp/levels/certificate.hpp"

namespace sunder::robust {

/// A bound on the residuals of nearly all fitted entries (levels::residuals::most of them).
struct Residue {
  double size = 0;
  double in_rounding = 0;  ///< in units of what rounding leaves at most
};

struct Window {
  DenseCore core;
  double level = 0;   ///< an entry is fitted where |T - L| is below this
  double spread = 0;  ///< of the data
  double ratio_rounding = levels::ratio_rounding;     ///< what rounding does to a ratio, at most
  double rounding = rounding_share(ScalarType::f64);  ///< of the components' magnitudes
  ModeConstraints constraints;

  /// Observed entries.
  Index known() const;
  /// Entries that a model fits.
  Index fitted(const Factors& factors, Monitor& monitor) const;
  /// What it leaves of nearly all of these entries, at most.
  Residue residue_of(const Factors& factors) const;
  /// Entries that a model fits, for every slice of every mode.
  std::vector<SliceStatistics> fitted_in_slices(const Factors& factors, Monitor& monitor) const;
  /// What a model leaves unfitted.
  SparseMarks sparse_of(const Factors& factors) const;
};

/// Gives every mode the rows of the mode whose factor it shares; signs stay as they are in `signs`.
void follow_leaders(const ModeConstraints& constraints, const Factors& signs, Factors& factors);

/// Components side by side: those of `a`, then those of `b`.
Factors joined(const Factors& a, const Factors& b);
/// The model without one component.
Factors without_component(const Factors& factors, Index component);
/// The components that are larger than rounding: some entry of theirs may reach `level`.
Factors live_components(const Factors& factors, double level);
/// Entries of the factors that are not zero, less the scales that can move between modes.
Index unknowns_of_components(const Factors& factors);

}  // namespace sunder::robust
