#pragma once
/// Frames into a video.

#include <exception>
#include <memory>

#include "core/files/output_file.hpp"
#include "io/video/libav.hpp"
#include "sunder/video/write_frames.hpp"
#include "video/frames/frame_picture.hpp"
#include "video/sinks/video_encoding.hpp"

namespace sunder {

class VideoSink : public FrameSink {
 public:
  VideoSink(const std::filesystem::path& path, const FrameFormat& format, double fps,
            const WriteOptions& options);
  ~VideoSink() override;
  VideoSink(const VideoSink&) = delete;
  VideoSink& operator=(const VideoSink&) = delete;

  void write(const Frame& frame) override;
  void finish() override;

 private:
  struct Container;

  void open_encoder(const VideoEncoding& encoding, const FrameFormat& format, double fps,
                    int threads);
  void encode(const AVFrame* picture);
  void require(int status) const;

  std::string name_;
  std::unique_ptr<Container> container_;
  LibavOwned<AVCodecContext> encoder_;
  LibavOwned<AVPacket> packet_;
  std::unique_ptr<FramePicture> picture_;
  Index frames_ = 0;
};

}  // namespace sunder
