#pragma once
/// The container of a video: opening it, its packets, and what it says about its length.

#include <chrono>
#include <functional>
#include <optional>

#include "io/video/libav.hpp"
#include "io/video/video_input.hpp"
#include "sunder/core/shape.hpp"

namespace sunder {

/// Ends FFmpeg's waiting: on request, or when nothing has come for too long.
struct VideoWatch {
  std::function<bool()> stop;
  double seconds = 0;  ///< that it waits at most; 0: for ever
  std::chrono::steady_clock::time_point since;
  bool stopped = false;
  bool timed_out = false;

  void start() {
    since = std::chrono::steady_clock::now();
    timed_out = false;
  }
  /// Whether the waiting is over.
  bool check();
};

struct DecodingOptions {
  int threads = 1;
  double timeout_seconds = 10;  ///< without data from a live source, it has ended
  std::function<bool()> stop;   ///< asked often, also while waiting for data; true: end
};

class VideoContainer {
 public:
  /// Throws InputError if there is no video, Cancelled if the opening was stopped.
  VideoContainer(const VideoInput& input, const DecodingOptions& options);
  VideoContainer(const VideoContainer&) = delete;
  VideoContainer& operator=(const VideoContainer&) = delete;

  /// The next packet of the video into `packet`: 0, or FFmpeg's error, AVERROR_EOF at the end.
  int read(AVPacket& packet);

  const VideoInput& input() const { return input_; }
  VideoWatch& watch() { return watch_; }
  const VideoWatch& watch() const { return watch_; }
  const AVStream& stream() const { return *container_->streams[stream_]; }

  double frames_per_second() const;  ///< 0 where the video does not say, or says nonsense
  Index promised_frames() const;     ///< 0 where the video does not say
  /// From the beginning of the clock to the end of the video; 0 where the file does not say.
  double promised_seconds() const;
  Index expected_frames() const;  ///< promised, or estimated by length and rate; -1: unknown

  /// Throws InputError about this video, or Cancelled if it was stopped.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  void open();

  const VideoInput input_;
  VideoWatch watch_;
  LibavOwned<AVFormatContext> container_;
  int stream_ = -1;
  int bad_reads_ = 0;
};

}  // namespace sunder
