#pragma once
/// Whether a support looks like blocks or like scattered entries.

#include <string>

#include "sunder/core/sparse_tensor.hpp"

namespace sunder {

enum class SupportKind {
  too_few,    ///< entries to tell
  scattered,  ///< as if every entry had been chosen by itself
  blocks,     ///< concentrated in some fibres
};
std::string_view to_string(SupportKind kind);

struct SupportPattern {
  SupportKind kind = SupportKind::too_few;
  Index count = 0;
  /// Variance of the number of non-zeros in a fibre over that of a random support of the same
  /// density, averaged over the modes: about 1 for scattered entries, far above it for blocks.
  double unevenness = 0;
  /// Pairs of entries in one fibre, over the number that a random support would have.
  double overlap = 0;
};

/// Reads every entry of the support once for each mode.
SupportPattern pattern_of(const SparseTensor& sparse);

}  // namespace sunder
