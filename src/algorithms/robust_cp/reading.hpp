#pragma once
/// What robust-cp takes besides passes, for those who plan memory and time.

#include <cstdint>

#include "algorithms/robust_cp/levels/rows.hpp"

namespace sunder::robust {

/// Fibres of every mode that are sampled for each component, to fit the rows outside the core, if
/// the core is exact.
inline constexpr Index columns_per_component = levels::extension::columns_if_exact;
/// Bytes of the regressions of rows, whose blocks have a fixed size. Estimated: 160 MiB was
/// measured together with the program itself.
inline constexpr std::int64_t row_memory = std::int64_t{64} << 20;

}  // namespace sunder::robust
