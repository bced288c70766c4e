#pragma once

#include "cli/cli.hpp"

namespace sunder::cli {

/// `sunder video eval`.
Command add_video_eval(CLI::App& command);

}  // namespace sunder::cli
