#pragma once
/// Videos that come while they are read: from the network, or from a camera.

#include <filesystem>
#include <string>

#include "io/video/video_input.hpp"
#include "sunder/video/open_frames.hpp"

namespace sunder {

VideoInput network_input(const std::string& address);
/// Throws InputError if sunder was built without libavdevice.
VideoInput camera_input(const std::filesystem::path& device, const FrameOptions& options);

}  // namespace sunder
