#pragma once
/// The numbers of the frames of a clip that have a mask.

#include <string>
#include <vector>

#include "sunder/core/shape.hpp"

namespace sunder::cli {

/// Reads a list from a file; numbers count from 0. Throws InputError unless they increase.
std::vector<Index> read_frame_numbers(const std::string& file);

/// Parses a list such as 3,14,15; any other text is the name of a file.
std::vector<Index> frame_numbers(const std::string& list_or_file);

}  // namespace sunder::cli
