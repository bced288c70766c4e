#pragma once
/// How well a model under noise explains each slice, and which slices are bad.

#include <vector>

#include "algorithms/robust_cp/noise/model/likelihood.hpp"
#include "sunder/algorithms/noise_estimate.hpp"

namespace sunder::robust {

/// From the sums of a pass over all of T under this noise. One entry for each mode.
std::vector<SliceQuality> slice_quality(const std::vector<SliceSums>& sums,
                                        const NoiseModel& noise);

/// The slices that have far fewer inliers or far more noise than the median slice of their mode,
/// the worst of each mode first. `sums` are those that the quality was found from.
std::vector<FlaggedSlice> flagged_slices(const std::vector<SliceQuality>& quality,
                                         const std::vector<SliceSums>& sums);

}  // namespace sunder::robust
