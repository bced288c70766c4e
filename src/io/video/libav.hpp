#pragma once
/// FFmpeg's objects with owners, and what reading and writing of video share.

#include <memory>
#include <string>

#include "io/video/libav_functions.hpp"

namespace sunder {

struct LibavRelease {
  void operator()(AVFormatContext* context) const { avformat_close_input(&context); }
  void operator()(AVCodecContext* context) const { avcodec_free_context(&context); }
  void operator()(AVFrame* frame) const { av_frame_free(&frame); }
  void operator()(AVPacket* packet) const { av_packet_free(&packet); }
  void operator()(SwsContext* context) const { sws_freeContext(context); }
};
/// For an AVFormatContext: one that reads.
template <class T>
using LibavOwned = std::unique_ptr<T, LibavRelease>;

/// Before FFmpeg is used: it keeps its complaints to itself, and takes at most 1 GiB at a time,
/// whatever a file promises. The largest frames that it knows take three quarters of that.
void prepare_libav();

/// What an error code of FFmpeg means, in its words.
std::string libav_reason(int error);

/// Throws std::bad_alloc where FFmpeg returns nothing.
LibavOwned<AVFrame> new_frame();
LibavOwned<AVPacket> new_packet();

/// FFmpeg's dictionary of options.
class LibavOptions {
 public:
  LibavOptions() = default;
  ~LibavOptions() { av_dict_free(&entries_); }
  LibavOptions(const LibavOptions&) = delete;
  LibavOptions& operator=(const LibavOptions&) = delete;

  void set(const std::string& key, const std::string& value) {
    av_dict_set(&entries_, key.c_str(), value.c_str(), 0);
  }
  AVDictionary** get() { return &entries_; }

 private:
  AVDictionary* entries_ = nullptr;
};

/// The best video stream; -1 if there is none.
int find_video_stream(AVFormatContext& container);

bool is_grey(AVPixelFormat format);
/// Whether a channel has more than 8 bits.
bool is_deep(AVPixelFormat format);

}  // namespace sunder
