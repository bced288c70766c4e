#pragma once
/// What is known about how sure a result is, as parts of its summary, in both directions.

#include <nlohmann/json.hpp>
#include <string>

#include "sunder/algorithms/decomposition.hpp"

namespace sunder {

/// Adds "false_discoveries", "verdict_tests", "weight_errors" and "ranks", each if it is known.
void add_inference(nlohmann::ordered_json& summary, const Decomposition& result);

/// Reads what add_inference() wrote, if it is there.
void read_inference(const nlohmann::json& summary, Decomposition& result);

/// A study of ranks as text, for `sunder ranks --json`.
std::string render_ranks(const RankStudy& study);

}  // namespace sunder
