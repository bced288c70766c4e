#pragma once
/// First models of corrupted moments, for clean_moments() to start from.

#include <optional>

#include "learn/moments/moment_cleaning.hpp"

namespace sunder {

struct RobustStart {
  std::optional<MomentFactors> factors;  ///< nothing where the method found none
  Certificate certificate;
  bool cancelled = false;
};

/// The robust tensor method on M3; its components then explain M2 up to one weight each, which
/// robust regression finds. Withstands the larger blocks.
RobustStart start_from_third(const ScaledMoments& moments, const MomentOptions& options);

/// The robust matrix method on M2 gives the span of the components, and robust regression the
/// r x r x r tensor by which M3 lies in it. Withstands more noise: that of M2 is smaller.
RobustStart start_from_second(const ScaledMoments& moments, const MomentOptions& options);

}  // namespace sunder
