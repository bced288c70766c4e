#pragma once
/// What this machine can do at best, and what a pass costs without fusion: the two things that the
/// speed of a pass is compared with.

#include "engine/pass/pass.hpp"
#include "sunder/core/dense_tensor.hpp"

namespace sunder::benchmark {

/// The fastest of a few attempts, because a machine is only ever slowed down by others.
struct Limits {
  double read_bytes_per_second = 0;
  double f64_flops_per_second = 0;
  double f32_flops_per_second = 0;
};
Limits measure_limits(int threads);

/// A plain read of all of a tensor's memory. Returns a sum of it.
double read_once(const DenseTensor& tensor, int threads);

/// The least time that a pass over all modes could take: reading T once, or 6 r flops per entry.
double roof_seconds(const Limits& limits, const TensorView& tensor, Index rank,
                    Precision precision);

/// One iteration the usual way, one stage after the other over dense temporaries of a slab: L by a
/// matrix product, T - L, the threshold, then two products for the MTTKRPs. Plain loops, compiled
/// for the same instructions as the fused kernels. Order 3, C order, f64, f32 or u8. Returns the
/// sum of what it computed, so that nothing can be left out.
double staged_pass(const TensorView& tensor, const CpModel& model, double threshold,
                   Precision precision, int threads);

}  // namespace sunder::benchmark
