#pragma once
/// rtd-als with whitening inside the low-rank step (docs/methods/rtd-whiten.md).

#include "sunder/algorithms/rtd_als.hpp"

namespace sunder {

struct RtdWhitenOptions : RtdAlsOptions {};

/// Whitens with the second moments of the true low-rank part, which RunOptions must name. Throws
/// OptionError without it, and otherwise as rtd_als does.
Decomposition rtd_whiten_true(const TensorView& tensor, const RunOptions& run,
                              const RtdWhitenOptions& options);
/// The same, to the bit, of a tensor that is larger than memory.
Decomposition rtd_whiten_true(const StoredTensor& tensor, const RunOptions& run,
                              const RtdWhitenOptions& options);

/// Whitens with the low-rank part of random slices, which altproj finds. Throws as
/// rtd_als does, and InputError where a slice has fewer components than the rank.
Decomposition rtd_whiten_slice(const TensorView& tensor, const RunOptions& run,
                               const RtdWhitenOptions& options);

}  // namespace sunder
