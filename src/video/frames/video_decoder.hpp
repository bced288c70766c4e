#pragma once
/// Pictures of a video, one after the other, whatever happens to it on the way.

#include <chrono>
#include <functional>
#include <memory>

#include "io/video/libav.hpp"
#include "video/frames/video_input.hpp"
#include "video/frames/warning_list.hpp"
#include "video/sinks/ffv1_check.hpp"

namespace sunder {

/// Ends FFmpeg's waiting: on request, or when nothing has come for too long.
struct VideoWatch {
  std::function<bool()> stop;
  double seconds = 0;  ///< 0: for ever
  std::chrono::steady_clock::time_point since;
  bool stopped = false;
  bool timed_out = false;

  void start() {
    since = std::chrono::steady_clock::now();
    timed_out = false;
  }
  bool check();
};

class VideoDecoder {
 public:
  /// Throws InputError if there is no video or no decoder for it, Cancelled if it was stopped.
  /// `warnings` must outlive this.
  VideoDecoder(const VideoInput& input, const FrameOptions& options, WarningList& warnings);
  VideoDecoder(const VideoDecoder&) = delete;
  VideoDecoder& operator=(const VideoDecoder&) = delete;

  /// The next intact picture in the order of presentation, valid until the next call; nothing at
  /// the end. Damaged ones are left out, with a warning.
  const AVFrame* next();

  /// The number of the picture to come, where damaged ones count too.
  Index position() const { return position_; }
  bool stopped() const { return watch_.stopped; }
  double frames_per_second() const;  ///< 0 where the video does not say, or says nonsense
  Index expected_frames() const;     ///< -1 where the video does not say

 private:
  void open_container();
  void open_codec(int threads);
  void feed();
  void send();
  void end(int error);
  void lose(Index number, const std::string& why);
  double promised_seconds() const;
  void check_length();
  [[noreturn]] void fail(const std::string& what) const;

  const VideoInput input_;
  WarningList& warnings_;
  VideoWatch watch_;
  LibavOwned<AVFormatContext> container_;
  LibavOwned<AVCodecContext> codec_;
  LibavOwned<AVFrame> frame_;
  LibavOwned<AVPacket> packet_;
  int stream_ = -1;
  int bad_reads_ = 0;
  Index sent_ = 0;
  Index position_ = 0;
  Index last_intact_ = -1;
  Ffv1Check ffv1_check_;
  double last_seconds_ = -1;  ///< when the last picture is shown
  bool draining_ = false;
  bool ended_ = false;
};

}  // namespace sunder
