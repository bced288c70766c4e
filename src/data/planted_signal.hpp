#pragma once
/// The low-rank part L* of a planted tensor, with its offset, and the units of errors and noise.

#include "sunder/data/planted.hpp"

namespace sunder {

struct PlantedSignal {
  CpModel low_rank;  ///< the offset is the last component
  double rms = 0;    ///< of L without the offset: the unit of the noise
  double gain = 1;   ///< by which L was scaled for the sake of counts; errors are scaled alike
};

PlantedSignal planted_signal(const PlantedOptions& options);

/// What bad samples follow that obey another model.
CpModel other_low_rank(const PlantedOptions& options);

}  // namespace sunder
