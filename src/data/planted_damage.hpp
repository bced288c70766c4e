#pragma once
/// What an instrument does to a planted tensor: bad samples, dropouts and saturation.

#include <limits>
#include <vector>

#include "data/planted_signal.hpp"
#include "data/planted_streams.hpp"
#include "sunder/data/planted.hpp"

namespace sunder {

/// The random numbers of one thread.
struct DamageStreams {
  Rng dropout, garbage;
  explicit DamageStreams(std::uint64_t seed)
      : dropout(stream(seed, Purpose::dropout)), garbage(stream(seed, Purpose::garbage)) {}
};

class PlantedDamage {
 public:
  PlantedDamage(const PlantedOptions& options, const PlantedSignal& signal);

  bool none() const { return none_; }
  /// Returns what becomes of an entry that would otherwise have this value.
  double applied(const ModeIndices& index, Index key, double value, double noise,
                 DamageStreams& random) const;
  /// From now on, values are cut off at these.
  void saturate(double low, double high);

 private:
  double bad_value(const ModeIndices& index, Index key, double noise, DamageStreams& random) const;

  const PlantedOptions& options_;
  double rms_;
  bool none_ = true;
  std::vector<bool> bad_;  ///< whether a slice of mode 0 is bad; empty if none is
  CpModel other_;          ///< what bad samples follow
  double low_ = -std::numeric_limits<double>::infinity();
  double high_ = std::numeric_limits<double>::infinity();
};

}  // namespace sunder
