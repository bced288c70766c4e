#pragma once
/// The noise of a planted tensor. The noise of an entry is a function of its position, its index
/// and its value in L, so threads may process entries in any order.

#include <vector>

#include "data/planted_streams.hpp"
#include "sunder/data/planted.hpp"

namespace sunder {

/// The random numbers of one thread.
struct NoiseStreams {
  Rng noise, tail;
  explicit NoiseStreams(std::uint64_t seed)
      : noise(stream(seed, Purpose::noise)), tail(stream(seed, Purpose::noise_tail)) {}
};

class PlantedNoise {
 public:
  /// `rms` is the unit of options.noise.
  PlantedNoise(const PlantedOptions& options, double rms);

  bool none() const { return deviation_ == 0; }
  double at(const ModeIndices& index, Index key, double low_rank, NoiseStreams& random) const;

 private:
  double slice_scale(const ModeIndices& index) const;

  NoiseKind kind_;
  double deviation_;  ///< absolute, of an average entry
  double share_;      ///< of the value, for proportional noise
  double floor_;      ///< values below this size have about the noise of this one
  std::vector<std::vector<double>> scales_;  ///< of the slices of each mode
};

/// Returns the quantile of the Poisson distribution for p in (0, 1).
double poisson_quantile(double p, double mean);

}  // namespace sunder
