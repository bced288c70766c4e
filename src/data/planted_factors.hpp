#pragma once
/// The factors and weights of a planted tensor.

#include "sunder/data/planted.hpp"

namespace sunder {

/// L* = sum_i weight_i a_i o b_i o ..., with unit columns, without an offset.
CpModel planted_model(const PlantedOptions& options);

/// Another model of the same kind, which bad samples may follow.
CpModel other_model(const PlantedOptions& options);

}  // namespace sunder
