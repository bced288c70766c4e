#pragma once
/// `sunder bench`, the part about video: time for each frame beyond reading and writing.

#include <nlohmann/json_fwd.hpp>

#include "cli/cli.hpp"

namespace sunder::cli {

/// Generated scenes of three sizes, in one piece and frame by frame; prints a table and returns its
/// rows.
nlohmann::ordered_json bench_video(bool quick, const Talk& talk);

}  // namespace sunder::cli
