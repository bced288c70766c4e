#pragma once
/// The page of a segmented clip: some of its frames with background and objects, and the activity
/// over time.

#include <string>
#include <vector>

#include "video/job/activity_log.hpp"
#include "video/job/frame_album.hpp"

namespace sunder {

struct VideoPage {
  std::string input;
  std::string verdict;  ///< in a sentence
  std::vector<std::string> warnings;
  double fps = 0;
  Index frames = 0;
};

/// Only built with sunder::report.
std::string render_video(const VideoPage& about, const FrameAlbum& album, const ActivityLog& log);

}  // namespace sunder
