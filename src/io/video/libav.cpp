#include "io/video/libav.hpp"

#include <array>
#include <new>
#include <string_view>

namespace sunder {

void prepare_libav() {
  av_log_set_level(AV_LOG_QUIET);
  av_max_alloc(std::size_t{1} << 30);
}

std::string libav_reason(int error) {
  std::array<char, AV_ERROR_MAX_STRING_SIZE> text{};
  av_strerror(error, text.data(), text.size());
  return text.data();
}

LibavOwned<AVFrame> new_frame() {
  LibavOwned<AVFrame> frame(av_frame_alloc());
  if (!frame) throw std::bad_alloc();
  return frame;
}

LibavOwned<AVPacket> new_packet() {
  LibavOwned<AVPacket> packet(av_packet_alloc());
  if (!packet) throw std::bad_alloc();
  return packet;
}

int find_video_stream(AVFormatContext& container) {
  // FFmpeg would show any text file as the screen of a terminal.
  if (std::string_view(container.iformat->name) == "tty") return -1;
  if (avformat_find_stream_info(&container, nullptr) < 0) return -1;
  const int stream = av_find_best_stream(&container, AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
  if (stream < 0) return -1;
  // The cover picture of a song is a stream too.
  const AVStream& found = *container.streams[stream];
  return (found.disposition & AV_DISPOSITION_ATTACHED_PIC) != 0 ? -1 : stream;
}

bool is_grey(AVPixelFormat format) {
  const AVPixFmtDescriptor* const description = av_pix_fmt_desc_get(format);
  return description != nullptr && description->nb_components <= 2 &&
         (description->flags & (AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_RGB)) == 0;
}

bool is_deep(AVPixelFormat format) {
  const AVPixFmtDescriptor* const description = av_pix_fmt_desc_get(format);
  return description != nullptr && description->comp[0].depth > 8;
}

}  // namespace sunder
