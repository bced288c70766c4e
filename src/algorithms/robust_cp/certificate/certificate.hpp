#pragma once
/// The verdict `exact`, and the conditions that it rests on. No other part of the program gives it.
/// docs/certificate.md explains the conditions one by one, for those who use the program.
///
/// A verdict with other evidence gets a table of its own in a file of its own (condition.hpp).

#include <optional>
#include <span>

#include "algorithms/robust_cp/certificate/condition.hpp"
#include "algorithms/robust_cp/certificate/evidence.hpp"
#include "sunder/algorithms/decomposition.hpp"

namespace sunder::robust {

/// The conditions for a model with components, in the order in which they are evaluated.
std::span<const Condition<Evidence>> exact_conditions();

/// The conditions for L = 0. The evidence is that of a pass that measures T itself.
std::span<const Condition<const PassStatistics>> zero_conditions();

struct Judgement {
  Certificate certificate;
  std::optional<Failure> failure;  ///< the condition that does not hold, if there is one

  /// Whether the model may be wrong, so that another one should be tried.
  bool rejects() const { return failure && failure->on_failure == OnFailure::reject; }
};

/// Judges a model. Reads T once, unless the core already speaks against it.
Judgement judge_exact(Evidence& evidence);

/// Judges L = 0.
Judgement judge_zero(const PassStatistics& data);

}  // namespace sunder::robust
