#pragma once
/// Which frames of a clip somebody made masks of.

#include <string>
#include <vector>

#include "sunder/core/shape.hpp"

namespace sunder::cli {

/// From a file with a list of them, which count from 0. Throws InputError unless they increase.
std::vector<Index> read_frame_numbers(const std::string& file);

/// From a list as in 3,14,15, or else from a file of this name.
std::vector<Index> frame_numbers(const std::string& list_or_file);

}  // namespace sunder::cli
