#pragma once
/// The noise and the slices of a result as parts of its summary, in both directions.

#include <nlohmann/json.hpp>

#include "sunder/algorithms/decomposition.hpp"

namespace sunder {

/// Adds "noise", "slices" and "flagged_slices"; nothing if the noise is not known. Numbers for each
/// slice are left out of modes with more than 10,000 slices.
void add_noise(nlohmann::ordered_json& summary, const Decomposition& result);

/// Reads what add_noise() wrote, if it is there.
void read_noise(const nlohmann::json& summary, Decomposition& result);

}  // namespace sunder
