#pragma once
/// Small lossless videos for tests, and the frames they hold.

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/pixdesc.h>
}

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace sunder::testing {

inline std::uint8_t video_byte(int row, int column, int channel, int time) {
  return static_cast<std::uint8_t>(row * 31 + column * 7 + channel * 50 + time * 13);
}

struct VideoRecipe {
  AVCodecID codec = AV_CODEC_ID_RAWVIDEO;
  AVPixelFormat format = AV_PIX_FMT_BGR24;  ///< or GRAY8, GRAY16LE
  int width = 6;
  int height = 5;
  int frames = 4;
};

/// The container follows from the name. The three channels of video_byte are R, G, B.
inline void write_video(const std::filesystem::path& path, const VideoRecipe& recipe) {
  AVFormatContext* container = nullptr;
  ASSERT_GE(avformat_alloc_output_context2(&container, nullptr, nullptr, path.c_str()), 0);
  const AVCodec* const codec = avcodec_find_encoder(recipe.codec);
  AVStream* const stream = avformat_new_stream(container, nullptr);
  AVCodecContext* encoder = avcodec_alloc_context3(codec);
  encoder->width = recipe.width;
  encoder->height = recipe.height;
  encoder->pix_fmt = recipe.format;
  encoder->time_base = {1, 25};
  if ((container->oformat->flags & AVFMT_GLOBALHEADER) != 0) {
    encoder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  }
  ASSERT_GE(avcodec_open2(encoder, codec, nullptr), 0);
  avcodec_parameters_from_context(stream->codecpar, encoder);
  stream->time_base = encoder->time_base;
  ASSERT_GE(avio_open(&container->pb, path.c_str(), AVIO_FLAG_WRITE), 0);
  ASSERT_GE(avformat_write_header(container, nullptr), 0);
  AVFrame* frame = av_frame_alloc();
  frame->width = recipe.width;
  frame->height = recipe.height;
  frame->format = recipe.format;
  ASSERT_GE(av_frame_get_buffer(frame, 0), 0);
  AVPacket* packet = av_packet_alloc();
  const int pixel = av_get_padded_bits_per_pixel(av_pix_fmt_desc_get(recipe.format)) / 8;
  for (int time = 0; time <= recipe.frames; ++time) {
    av_frame_make_writable(frame);
    for (int row = 0; row < recipe.height; ++row) {
      for (int byte = 0; byte < recipe.width * pixel; ++byte) {
        const int channel = pixel == 1 ? 0 : 2 - byte % pixel;
        frame->data[0][row * frame->linesize[0] + byte] =
            video_byte(row, byte / pixel, channel, time);
      }
    }
    frame->pts = time;
    avcodec_send_frame(encoder, time < recipe.frames ? frame : nullptr);
    while (avcodec_receive_packet(encoder, packet) >= 0) {
      av_packet_rescale_ts(packet, encoder->time_base, stream->time_base);
      ASSERT_GE(av_interleaved_write_frame(container, packet), 0);
    }
  }
  ASSERT_GE(av_write_trailer(container), 0);
  av_packet_free(&packet);
  av_frame_free(&frame);
  avcodec_free_context(&encoder);
  avio_closep(&container->pb);
  avformat_free_context(container);
}

}  // namespace sunder::testing
