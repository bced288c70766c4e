#pragma once
/// The verdicts under noise: two numbered tables of tests over the same evidence.
///
/// `consistent`: the model and its noise explain the data. `reproducible`: the components come back
/// and are components, but something else is left in the data.

#include <span>
#include <string_view>

#include "algorithms/robust_cp/certificate/noise_evidence.hpp"
#include "sunder/algorithms/decomposition.hpp"

namespace sunder::robust {

struct NoiseTest {
  int number;
  std::string_view name;
  double NoiseEvidence::*value;
  double limit;
  bool at_most;              ///< whether larger values fail, or smaller ones
  std::string_view failure;  ///< what it means if it fails, and what to do; {value} and {limit}

  /// What is not a number fails.
  bool passes(const NoiseEvidence& evidence) const {
    return at_most ? evidence.*value <= limit : evidence.*value >= limit;
  }
};

std::span<const NoiseTest> tests_of_consistent();
std::span<const NoiseTest> tests_of_reproducible();

/// No verdict without evidence.
Certificate judge_under_noise(const NoiseEvidence& evidence);

}  // namespace sunder::robust
