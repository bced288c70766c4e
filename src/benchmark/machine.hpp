#pragma once
/// The two references for the speed of a pass: the limits of this machine, and the cost of a pass
/// without fusion.

#include "engine/pass/pass.hpp"
#include "sunder/core/dense_tensor.hpp"

namespace sunder::benchmark {

/// The fastest of a few attempts, because other programs can only slow a measurement down.
struct Limits {
  double read_bytes_per_second = 0;
  double f64_flops_per_second = 0;
  double f32_flops_per_second = 0;
};
Limits measure_limits(int threads);

/// Reads all of a tensor's memory once and returns a sum of it.
double read_once(const DenseTensor& tensor, int threads);

/// Returns the least time that a pass over all modes could take: one read of T, or 6 r flops per
/// entry.
double roof_seconds(const Limits& limits, const TensorView& tensor, Index rank,
                    Precision precision);

/// Runs one iteration in separate stages over dense temporaries of a slab: L by a matrix product, T
/// - L, the threshold, then two products for the MTTKRPs. These are plain loops, compiled for the
/// same instructions as the fused kernels. The tensor has order 3, C order, and type f64, f32 or
/// u8. Returns the sum of its results, so that the compiler cannot drop any work.
double staged_pass(const TensorView& tensor, const CpModel& model, double threshold,
                   Precision precision, int threads);

}  // namespace sunder::benchmark
