#pragma once
/// How many components a tensor with noise has (docs/inference.md).

#include "sunder/algorithms/inference.hpp"
#include "sunder/algorithms/robust_cp.hpp"

namespace sunder {

/// The study of ranks with all its figures, on a part of the tensor. `run.rank`: the largest rank
/// to try; 0: as many as the part can tell apart.
RankStudy rank_study(const TensorView& tensor, const RunOptions& run,
                     const RobustCpOptions& options = {});
/// The same of a tensor that is larger than memory.
RankStudy rank_study(const StoredTensor& tensor, const RunOptions& run,
                     const RobustCpOptions& options = {});

}  // namespace sunder
