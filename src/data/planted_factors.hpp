#pragma once
/// The low-rank part L* of a planted tensor.

#include "sunder/data/planted.hpp"

namespace sunder {

/// L* = sum_i weight_i a_i o b_i o ..., with unit columns.
CpModel planted_low_rank(const PlantedOptions& options);

}  // namespace sunder
