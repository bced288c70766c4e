#pragma once
/// Initial models of corrupted moments, from which clean_moments() starts.

#include <optional>

#include "learn/moments/moment_cleaning.hpp"

namespace sunder {

struct RobustStart {
  std::optional<MomentFactors> factors;  ///< nullopt if the method found none
  Certificate certificate;
  bool cancelled = false;
};

/// Runs the robust tensor method on M3; its components then explain M2 up to one weight each, which
/// robust regression finds. This start withstands larger corrupted blocks.
RobustStart start_from_third(const ScaledMoments& moments, const MomentOptions& options);

/// Runs the robust matrix method on M2, which gives the span of the components; robust regression
/// finds the r x r x r tensor that represents M3 in it. This start withstands more noise, because
/// M2 has less noise than M3.
RobustStart start_from_second(const ScaledMoments& moments, const MomentOptions& options);

}  // namespace sunder
