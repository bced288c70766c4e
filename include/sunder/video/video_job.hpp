#pragma once
/// A clip or a stream in one call: read, segmented, and written to a folder with background,
/// objects, masks, activity.csv, summary.json and, where sunder::report is built, report.html.
/// `sunder video` is this function.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sunder/core/progress.hpp"
#include "sunder/video/open_frames.hpp"
#include "sunder/video/segmentation.hpp"

namespace sunder {

struct VideoJobOptions {
  FrameOptions reading;  ///< which frames are read, and how
  /// "background" (one image times a gain), "low-rank" (pixels x frames) or "cp" (the paper's
  /// tensor method). The last two see grey frames.
  std::string model = "background";
  int rank = 0;                      ///< of low-rank and cp; 0: 2 for low-rank, 1 for cp
  std::uint64_t seed = 1;            ///< of low-rank and cp
  bool online = false;               ///< decide frame by frame, without looking ahead
  std::filesystem::path load_state;  ///< online: the saved stream to go on from; empty: none
  std::filesystem::path
      save_state;  ///< online: where the stream is saved at the end; empty: nowhere
  /// One of video_output_formats(), or "auto": npy if the input is an array, mp4 otherwise.
  std::string format = "auto";
  std::string background_format;  ///< empty: as `format`
  std::string foreground_format;  ///< likewise
  std::string mask_format;        ///< likewise
  bool lossless = false;          ///< videos keep every code
  int threads = 0;                ///< 0: one for each processor if the frames are large
  bool force = false;             ///< replace a result that is already in the folder
  ProgressCallback progress;      ///< answering `cancel` ends the clip; what was decided is kept
};

struct VideoJobResult {
  SegmentationSummary summary;
  FrameFormat format;
  double frames_per_second = 0;       ///< 0 where the input does not say
  double mean_object_share = 0;       ///< of the pixels
  double seconds = 0;                 ///< reading and writing included
  bool interrupted = false;           ///< `stop` or `progress` ended the clip
  std::string verdict;                ///< what was found, in a sentence
  std::vector<std::string> warnings;  ///< what was wrong with the input
  std::string summary_json;           ///< the text of summary.json
};

/// The models, and the formats that outputs can have ("mp4", ..., "png", "npy", and "none" for an
/// output that is not wanted).
const std::vector<std::string>& video_job_models();
const std::vector<std::string>& video_output_formats();

/// `clip` is an address of open_frames(). Throws OptionError, InputError, OutputError or
/// WriteError; Cancelled if it is ended before the first frame. Nothing is left in the folder then.
VideoJobResult run_video_job(const std::string& clip, const std::filesystem::path& folder,
                             const VideoJobOptions& options);

}  // namespace sunder
