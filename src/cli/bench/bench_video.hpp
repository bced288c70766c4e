#pragma once
/// The video part of `sunder bench`: the time per frame, without reading and writing.

#include <nlohmann/json_fwd.hpp>

#include "cli/cli.hpp"

namespace sunder::cli {

/// Runs the background model on generated scenes of three sizes, as a whole and frame by frame;
/// prints a table and returns its rows.
nlohmann::ordered_json bench_video(bool quick, const ConsoleOptions& console);

}  // namespace sunder::cli
