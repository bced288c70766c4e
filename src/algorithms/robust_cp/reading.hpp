#pragma once
/// What robust-cp reads of a tensor besides whole passes, for those who plan memory and time.

#include "sunder/core/shape.hpp"

namespace sunder::robust {

/// Fibres of every mode that are sampled for each component, to fit the rows outside the core.
inline constexpr Index columns_per_component = 40;

}  // namespace sunder::robust
