#pragma once
/// Models with further components, and what has to leave for them.

#include "algorithms/robust_cp/consensus/window.hpp"

namespace sunder::robust {

/// A model with further components, and what it fits beyond the one that it came from.
struct Trial {
  Factors factors;
  double gain = 0;
  double unknowns = 0;     ///< of the new components
  bool exchanged = false;  ///< others had to leave for them
  bool too_large = false;  ///< it has more components than the model may have

  /// What it fits beyond what accident explains.
  double value() const;
  /// Whether it is better. New components must fit more than by accident; if others had to leave
  /// for them, any entry counts.
  bool is_better() const;
  /// Whether there may be a component, of which too few entries speak.
  bool is_a_hint() const { return !exchanged && gain > unknowns; }
};

struct ExchangeOptions {
  Index most_components = 0;  ///< of the model; 0: any number
  bool redundant = false;     ///< some of its components may do what fewer could
};

/// The model with the components of `added`, its rows healed. Beyond the largest number of
/// components, those leave first that the others can replace, then those that fit the least.
Trial with_components(const Window& window, const Factors& model, const Factors& added,
                      const ExchangeOptions& options, Rng& rng, Monitor& monitor);

/// Entries that a model loses if the component that fits the least gives its place to another.
Index cost_of_place(const Window& window, const Factors& model, Monitor& monitor);

}  // namespace sunder::robust
