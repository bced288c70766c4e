#pragma once
/// Classification of a support as blocks or scattered entries.

#include <string>

#include "sunder/core/sparse_tensor.hpp"

namespace sunder {

enum class SupportKind {
  too_few,    ///< too few entries to classify
  scattered,  ///< as if every entry had been chosen independently
  blocks,     ///< concentrated in some fibres
};
std::string_view to_string(SupportKind kind);

struct SupportPattern {
  SupportKind kind = SupportKind::too_few;
  Index count = 0;
  /// Variance of the number of non-zeros in a fibre over that of a random support of the same
  /// density, averaged over the modes: about 1 for scattered entries, far above it for blocks.
  double unevenness = 0;
  /// Number of pairs of entries in one fibre, over the number in a random support.
  double overlap = 0;
};

/// Classifies a support; reads every entry once for each mode.
SupportPattern pattern_of(const SparseTensor& sparse);

}  // namespace sunder
