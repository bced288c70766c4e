#pragma once
/// Numbered or listed images as a video.

#include <filesystem>
#include <string>

#include "io/video/video_input.hpp"

namespace sunder {

/// Whether the last part of a name is a pattern of image names: `%d`, `%04d`, `*`, `?`.
bool is_image_pattern(const std::string& name);
/// Throws InputError if no file matches.
VideoInput image_input(const std::filesystem::path& pattern);

}  // namespace sunder
