#pragma once
/// The pictures of a video, one after the other, and what is wrong with them. Everything in sunder
/// that reads a video reads it here: whatever is damaged becomes a sentence in the list of
/// warnings, and never a picture. Whoever needs every picture, as a tensor does, takes a warning
/// for an error.

#include "io/video/ffv1_check.hpp"
#include "io/video/libav.hpp"
#include "io/video/video_container.hpp"
#include "io/video/warning_list.hpp"

namespace sunder {

class VideoDecoder {
 public:
  /// Throws InputError if there is no video or no decoder for it, Cancelled if it was stopped.
  /// `warnings` must outlive this.
  VideoDecoder(const VideoInput& input, const DecodingOptions& options, WarningList& warnings);
  VideoDecoder(const VideoDecoder&) = delete;
  VideoDecoder& operator=(const VideoDecoder&) = delete;

  /// The next intact picture in the order of presentation, valid until the next call; null at the
  /// end. Damaged ones are left out, with a warning.
  const AVFrame* next();

  /// The number of the picture to come, where damaged ones count too.
  Index position() const { return position_; }
  bool stopped() const { return container_.watch().stopped; }
  const VideoContainer& container() const { return container_; }
  double frames_per_second() const;  ///< 0 where the video does not say, or says nonsense

 private:
  void open_codec(int threads);
  void feed();
  void send();
  void end(int error);
  void lose(Index number, const std::string& why);
  void check_length();
  const VideoInput& input() const { return container_.input(); }

  WarningList& warnings_;
  VideoContainer container_;
  LibavOwned<AVCodecContext> codec_;
  LibavOwned<AVFrame> frame_;
  LibavOwned<AVPacket> packet_;
  Index sent_ = 0;
  Index position_ = 0;
  Index last_intact_ = -1;
  Ffv1Check ffv1_check_;
  double last_seconds_ = -1;  ///< when the last picture is shown
  bool draining_ = false;
  bool ended_ = false;
};

}  // namespace sunder
