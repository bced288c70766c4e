#pragma once
/// The second half of `sunder bench`: a whole decomposition, in units of one read of the tensor.

#include <nlohmann/json_fwd.hpp>

#include "cli/cli.hpp"

namespace sunder::cli {

/// Cubes of f32, rank 5, 30% of the entries corrupted; prints a table and returns its rows.
nlohmann::ordered_json bench_decompositions(bool quick, const Talk& talk);

}  // namespace sunder::cli
