#pragma once
/// The second half of `sunder bench`: the time of a whole decomposition, in units of one read of
/// the tensor.

#include <nlohmann/json_fwd.hpp>

#include "cli/cli.hpp"

namespace sunder::cli {

/// Decomposes cubes of f32 with rank 5 and 30% of the entries corrupted; prints a table and returns
/// its rows.
nlohmann::ordered_json bench_decompositions(bool quick, const ConsoleOptions& console);

}  // namespace sunder::cli
