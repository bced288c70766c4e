#include "io/video/video_reader.hpp"

extern "C" {
#include <libavutil/imgutils.h>
}

#include <fmt/format.h>

#include <cerrno>
#include <optional>

#include "io/video/libav.hpp"
#include "io/video/pixel_conversion.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace {

/// Names are never taken for addresses, and a playlist cannot make us open anything but files.
LibavOwned<AVFormatContext> open_container(const std::filesystem::path& path) {
  prepare_libav();
  LibavOptions options;
  options.set("protocol_whitelist", "file");
  AVFormatContext* context = nullptr;
  const std::string address = "file:" + path.string();
  const int error = avformat_open_input(&context, address.c_str(), nullptr, options.get());
  return LibavOwned<AVFormatContext>(error < 0 ? nullptr : context);
}

}  // namespace

struct VideoReader::Decoder {
  explicit Decoder(const std::filesystem::path& file);

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("cannot read the video {}: {}", name, what));
  }
  bool decode();
  bool feed();
  void require_intact() const;
  void convert(std::span<std::uint8_t> out);

  std::string name;
  std::filesystem::path path;
  LibavOwned<AVFormatContext> container;
  LibavOwned<AVCodecContext> codec;
  LibavOwned<AVFrame> frame;
  LibavOwned<AVPacket> packet;
  std::optional<PixelConversion> conversion;
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
      stream(container ? find_video_stream(*container) : -1) {
  if (stream < 0) fail("FFmpeg finds no video in it; convert it to mp4 or mkv");
  const AVCodecParameters& parameters = *container->streams[stream]->codecpar;
  const AVCodec* const known = avcodec_find_decoder(parameters.codec_id);
  if (known == nullptr) fail("FFmpeg has no decoder for it; convert it to mp4 or mkv");
  codec.reset(avcodec_alloc_context3(known));
  frame = new_frame();
  packet = new_packet();
  if (!codec) throw std::bad_alloc();
  int error = avcodec_parameters_to_context(codec.get(), &parameters);
  if (error >= 0) error = avcodec_open2(codec.get(), known, nullptr);
  if (error < 0) fail(fmt::format("the decoder does not start ({})", libav_reason(error)));
  width = parameters.width;
  height = parameters.height;
  const auto format = static_cast<AVPixelFormat>(parameters.format);
  if (width <= 0 || height <= 0 || format == AV_PIX_FMT_NONE) {
    fail("its frames have no size or pixel format; the file is damaged");
  }
  grey = is_grey(format);
  conversion.emplace(width, height, grey ? AV_PIX_FMT_GRAY8 : AV_PIX_FMT_RGB24);
}

/// Gives the decoder the next packet of the stream, or tells it that there is none.
bool VideoReader::Decoder::feed() {
  int error = 0;
  while ((error = av_read_frame(container.get(), packet.get())) >= 0) {
    const bool ours = packet->stream_index == stream;
    if (ours) error = avcodec_send_packet(codec.get(), packet.get());
    av_packet_unref(packet.get());
    if (error < 0)
      fail(fmt::format("frame {} cannot be decoded ({})", decoded, libav_reason(error)));
    if (ours) return true;
  }
  if (error != AVERROR_EOF) {
    fail(fmt::format("it breaks off after {} frames ({})", decoded, libav_reason(error)));
  }
  return avcodec_send_packet(codec.get(), nullptr) >= 0;
}

bool VideoReader::Decoder::decode() {
  while (true) {
    const int error = avcodec_receive_frame(codec.get(), frame.get());
    if (error >= 0) return true;
    if (error == AVERROR_EOF) return false;
    if (error != AVERROR(EAGAIN)) {
      fail(fmt::format("frame {} cannot be decoded ({})", decoded, libav_reason(error)));
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

void VideoReader::Decoder::convert(std::span<std::uint8_t> out) {
  const AVFrame* const converted = conversion->convert(*frame);
  if (converted == nullptr) {
    fail(fmt::format("frame {} cannot be converted to 8 bits; convert it to mp4 or mkv", decoded));
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
  const LibavOwned<AVFormatContext> container = open_container(decoder_->path);
  if (!container || find_video_stream(*container) != decoder_->stream)
    decoder_->fail("it has changed");
  const LibavOwned<AVPacket> packet = new_packet();
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
  const LibavOwned<AVFormatContext> container = open_container(path);
  return container && find_video_stream(*container) >= 0;
}

}  // namespace sunder
