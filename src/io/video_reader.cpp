#include "io/video_reader.hpp"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
}

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "sunder/core/error.hpp"

namespace sunder {

namespace {

struct Release {
  void operator()(AVFormatContext* context) const { avformat_close_input(&context); }
  void operator()(AVCodecContext* context) const { avcodec_free_context(&context); }
  void operator()(AVFrame* frame) const { av_frame_free(&frame); }
  void operator()(AVPacket* packet) const { av_packet_free(&packet); }
  void operator()(SwsContext* context) const { sws_freeContext(context); }
};
template <class T>
using Owned = std::unique_ptr<T, Release>;

std::string reason(int error) {
  std::array<char, AV_ERROR_MAX_STRING_SIZE> text{};
  av_strerror(error, text.data(), text.size());
  return text.data();
}

/// Names are never taken for addresses, and a playlist cannot make us open anything but files.
Owned<AVFormatContext> open_container(const std::filesystem::path& path) {
  av_log_set_level(AV_LOG_QUIET);
  AVDictionary* options = nullptr;
  av_dict_set(&options, "protocol_whitelist", "file", 0);
  AVFormatContext* context = nullptr;
  const std::string address = "file:" + path.string();
  const int error = avformat_open_input(&context, address.c_str(), nullptr, &options);
  av_dict_free(&options);
  return Owned<AVFormatContext>(error < 0 ? nullptr : context);
}

int video_stream(AVFormatContext& container) {
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

}  // namespace

struct VideoReader::Decoder {
  explicit Decoder(const std::filesystem::path& file);

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("cannot read the video {}: {}", name, what));
  }
  AVPixelFormat output_format() const { return grey ? AV_PIX_FMT_GRAY8 : AV_PIX_FMT_RGB24; }
  bool decode();
  bool feed();
  void require_intact() const;
  void convert(std::span<std::uint8_t> out);
  void prepare_conversion();

  std::string name;
  std::filesystem::path path;
  Owned<AVFormatContext> container;
  Owned<AVCodecContext> codec;
  Owned<AVFrame> frame;
  Owned<AVFrame> converted;
  Owned<AVPacket> packet;
  Owned<SwsContext> conversion;
  int stream = -1;
  int width = 0;
  int height = 0;
  bool grey = false;
  Index decoded = 0;
};

VideoReader::Decoder::Decoder(const std::filesystem::path& file)
    : name(file.string()),
      path(file),
      container(open_container(file)),
      stream(container ? video_stream(*container) : -1) {
  if (stream < 0) fail("FFmpeg finds no video in it; convert it to mp4 or mkv");
  const AVCodecParameters& parameters = *container->streams[stream]->codecpar;
  const AVCodec* const known = avcodec_find_decoder(parameters.codec_id);
  if (known == nullptr) fail("FFmpeg has no decoder for it; convert it to mp4 or mkv");
  codec.reset(avcodec_alloc_context3(known));
  frame.reset(av_frame_alloc());
  converted.reset(av_frame_alloc());
  packet.reset(av_packet_alloc());
  if (!codec || !frame || !converted || !packet) throw std::bad_alloc();
  int error = avcodec_parameters_to_context(codec.get(), &parameters);
  if (error >= 0) error = avcodec_open2(codec.get(), known, nullptr);
  if (error < 0) fail(fmt::format("the decoder does not start ({})", reason(error)));
  width = parameters.width;
  height = parameters.height;
  const auto format = static_cast<AVPixelFormat>(parameters.format);
  if (width <= 0 || height <= 0 || format == AV_PIX_FMT_NONE) {
    fail("its frames have no size or pixel format; the file is damaged");
  }
  grey = is_grey(format);
}

/// Gives the decoder the next packet of the stream, or tells it that there is none.
bool VideoReader::Decoder::feed() {
  int error = 0;
  while ((error = av_read_frame(container.get(), packet.get())) >= 0) {
    const bool ours = packet->stream_index == stream;
    if (ours) error = avcodec_send_packet(codec.get(), packet.get());
    av_packet_unref(packet.get());
    if (error < 0) fail(fmt::format("frame {} cannot be decoded ({})", decoded, reason(error)));
    if (ours) return true;
  }
  if (error != AVERROR_EOF) {
    fail(fmt::format("it breaks off after {} frames ({})", decoded, reason(error)));
  }
  return avcodec_send_packet(codec.get(), nullptr) >= 0;
}

bool VideoReader::Decoder::decode() {
  while (true) {
    const int error = avcodec_receive_frame(codec.get(), frame.get());
    if (error >= 0) return true;
    if (error == AVERROR_EOF) return false;
    if (error != AVERROR(EAGAIN)) {
      fail(fmt::format("frame {} cannot be decoded ({})", decoded, reason(error)));
    }
    if (!feed()) return false;
  }
}

void VideoReader::Decoder::require_intact() const {
  if (frame->decode_error_flags != 0 || (frame->flags & AV_FRAME_FLAG_CORRUPT) != 0) {
    fail(fmt::format("frame {} is damaged; copy or convert the video again", decoded));
  }
  if (frame->width != width || frame->height != height) {
    fail(fmt::format("frame {} is {} x {} where the first is {} x {}; convert it to one size",
                     decoded, frame->width, frame->height, width, height));
  }
}

void VideoReader::Decoder::prepare_conversion() {
  const auto source = static_cast<AVPixelFormat>(frame->format);
  conversion.reset(sws_getCachedContext(
      conversion.release(), width, height, source, width, height, output_format(),
      SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP | SWS_BITEXACT,
      nullptr, nullptr, nullptr));
  if (!conversion) fail("its pixel format cannot be converted to 8 bits; convert it to mp4 or mkv");
  if (!grey) {
    const int* const table = sws_getCoefficients(frame->colorspace);
    const int range = frame->color_range == AVCOL_RANGE_JPEG ? 1 : 0;
    // Only YUV has a range to set; for RGB the call says no and nothing needs to change.
    sws_setColorspaceDetails(conversion.get(), table, range, table, 1, 0, 1 << 16, 1 << 16);
  }
  if (converted->data[0] != nullptr) return;
  converted->width = width;
  converted->height = height;
  converted->format = output_format();
  if (av_frame_get_buffer(converted.get(), 0) < 0) throw std::bad_alloc();
}

/// Through an aligned frame: swscale may write beyond the end of an unpadded row.
void VideoReader::Decoder::convert(std::span<std::uint8_t> out) {
  prepare_conversion();
  if (sws_scale(conversion.get(), frame->data, frame->linesize, 0, height, converted->data,
                converted->linesize) != height) {
    fail(fmt::format("frame {} cannot be converted to 8 bits", decoded));
  }
  const int row = width * (grey ? 1 : 3);
  av_image_copy_plane(out.data(), row, converted->data[0], converted->linesize[0], row, height);
}

VideoReader::VideoReader(const std::filesystem::path& path)
    : decoder_(std::make_unique<Decoder>(path)) {}
VideoReader::~VideoReader() = default;

Index VideoReader::width() const { return decoder_->width; }
Index VideoReader::height() const { return decoder_->height; }
Index VideoReader::channels() const { return decoder_->grey ? 1 : 3; }
std::string VideoReader::codec() const { return avcodec_get_name(decoder_->codec->codec_id); }

double VideoReader::frames_per_second() const {
  const AVRational rate = decoder_->container->streams[decoder_->stream]->avg_frame_rate;
  return rate.num > 0 && rate.den > 0 ? av_q2d(rate) : 0;
}

Index VideoReader::count_frames() const {
  const AVStream& stream = *decoder_->container->streams[decoder_->stream];
  if (stream.nb_frames > 0) return stream.nb_frames;
  const Owned<AVFormatContext> container = open_container(decoder_->path);
  if (!container || video_stream(*container) != decoder_->stream) decoder_->fail("it has changed");
  const Owned<AVPacket> packet(av_packet_alloc());
  if (!packet) throw std::bad_alloc();
  Index count = 0;
  while (av_read_frame(container.get(), packet.get()) >= 0) {
    if (packet->stream_index == decoder_->stream) ++count;
    av_packet_unref(packet.get());
  }
  return count;
}

bool VideoReader::next_frame(std::span<std::uint8_t> out) {
  if (!decoder_->decode()) return false;
  decoder_->require_intact();
  decoder_->convert(out);
  ++decoder_->decoded;
  return true;
}

bool is_video(const std::filesystem::path& path) {
  const Owned<AVFormatContext> container = open_container(path);
  return container && video_stream(*container) >= 0;
}

}  // namespace sunder
