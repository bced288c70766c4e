#include "video/sinks/video_sink.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "sunder/core/error.hpp"

namespace sunder {

namespace {

/// The muxer's view of an OutputFile. Exceptions cannot pass through C; the first one is kept.
struct MuxerFile {
  OutputFile file;
  std::int64_t position = 0;
  std::int64_t size = 0;
  std::exception_ptr failure;

  explicit MuxerFile(const std::filesystem::path& path) : file(path) {}

  template <class Action>
  std::int64_t guarded(const Action& action) {
    try {
      action();
      return position;
    } catch (...) {
      if (!failure) failure = std::current_exception();
      return AVERROR(EIO);
    }
  }

  static int write(void* opaque, std::uint8_t* bytes, int count) {
    auto& self = *static_cast<MuxerFile*>(opaque);
    const std::int64_t status = self.guarded([&] {
      self.file.write_values(std::span<const std::uint8_t>(bytes, static_cast<std::size_t>(count)));
      self.position += count;
      self.size = std::max(self.size, self.position);
    });
    return status < 0 ? AVERROR(EIO) : count;
  }

  static std::int64_t seek(void* opaque, std::int64_t offset, int whence) {
    auto& self = *static_cast<MuxerFile*>(opaque);
    if (whence == AVSEEK_SIZE) return self.size;
    const int from = whence & ~AVSEEK_FORCE;
    const std::int64_t origin = from == SEEK_CUR ? self.position : from == SEEK_END ? self.size : 0;
    return self.guarded([&] {
      self.file.seek(origin + offset);
      self.position = origin + offset;
    });
  }
};

}  // namespace

struct VideoSink::Container {
  MuxerFile output;
  AVFormatContext* muxer = nullptr;
  AVStream* stream = nullptr;

  explicit Container(const std::filesystem::path& path) : output(path) {
    prepare_libav();
    avformat_alloc_output_context2(&muxer, nullptr, nullptr, path.c_str());
    if (muxer == nullptr) {
      throw OutputError(
          fmt::format("cannot write {}: FFmpeg does not write such videos here", path.string()));
    }
    constexpr int buffer_bytes = 1 << 16;
    auto* const buffer = static_cast<unsigned char*>(av_malloc(buffer_bytes));
    muxer->pb = avio_alloc_context(buffer, buffer_bytes, 1, &output, nullptr, &MuxerFile::write,
                                   &MuxerFile::seek);
    muxer->flags |= AVFMT_FLAG_BITEXACT;
    stream = avformat_new_stream(muxer, nullptr);
    if (muxer->pb == nullptr || stream == nullptr) throw std::bad_alloc();
  }
  ~Container() {
    if (muxer == nullptr) return;
    if (muxer->pb != nullptr) av_freep(static_cast<void*>(&muxer->pb->buffer));
    avio_context_free(&muxer->pb);
    avformat_free_context(muxer);
  }
  Container(const Container&) = delete;
  Container& operator=(const Container&) = delete;
};

VideoSink::VideoSink(const std::filesystem::path& path, const FrameFormat& format, double fps,
                     const WriteOptions& options)
    : name_(path.string()), packet_(new_packet()) {
  const VideoEncoding encoding = choose_encoding(path, format, options);
  container_ = std::make_unique<Container>(path);
  open_encoder(encoding, format, fps, options.threads);
  picture_ = std::make_unique<FramePicture>(format, encoding.pixels);
  AVStream& stream = *container_->stream;
  stream.time_base = encoder_->time_base;
  stream.avg_frame_rate = encoder_->framerate;
  require(avcodec_parameters_from_context(stream.codecpar, encoder_.get()));
  // In fragments, mp4 needs no table of all frames at its end: memory does not grow with the clip.
  AVDictionary* muxing = nullptr;
  av_dict_set(&muxing, "movflags", "frag_keyframe+empty_moov+default_base_moof", 0);
  const int begun = avformat_write_header(container_->muxer, &muxing);
  av_dict_free(&muxing);
  require(begun);
}

VideoSink::~VideoSink() = default;

void VideoSink::require(int status) const {
  if (container_->output.failure) std::rethrow_exception(container_->output.failure);
  if (status >= 0) return;
  throw WriteError(fmt::format("cannot write {}: FFmpeg says: {}", name_, libav_reason(status)));
}

void VideoSink::open_encoder(const VideoEncoding& encoding, const FrameFormat& format, double fps,
                             int threads) {
  const AVCodec* const codec = avcodec_find_encoder_by_name(encoding.encoder.c_str());
  encoder_.reset(avcodec_alloc_context3(codec));
  if (!encoder_) throw std::bad_alloc();
  encoder_->width = static_cast<int>(format.width);
  encoder_->height = static_cast<int>(format.height);
  encoder_->pix_fmt = encoding.pixels;
  // MPEG-4 counts in 16 bits.
  encoder_->framerate = av_d2q(fps, 60000);
  encoder_->time_base = av_inv_q(encoder_->framerate);
  encoder_->thread_count = threads;
  encoder_->flags |= AV_CODEC_FLAG_BITEXACT;
  const bool yuv = encoding.pixels == AV_PIX_FMT_YUV420P || encoding.pixels == AV_PIX_FMT_YUV444P;
  // Said aloud: players would guess BT.709 for large pictures.
  if (yuv) encoder_->colorspace = AVCOL_SPC_SMPTE170M;
  encoder_->color_range = yuv ? AVCOL_RANGE_MPEG : AVCOL_RANGE_JPEG;
  if (encoding.quantizer > 0) {
    encoder_->flags |= AV_CODEC_FLAG_QSCALE;
    encoder_->global_quality = encoding.quantizer * FF_QP2LAMBDA;
  }
  if ((container_->muxer->oformat->flags & AVFMT_GLOBALHEADER) != 0) {
    encoder_->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  }
  LibavOptions options;
  for (const auto& [key, value] : encoding.options) options.set(key, value);
  require(avcodec_open2(encoder_.get(), codec, options.get()));
}

void VideoSink::encode(const AVFrame* picture) {
  require(avcodec_send_frame(encoder_.get(), picture));
  while (true) {
    const int status = avcodec_receive_packet(encoder_.get(), packet_.get());
    if (status == AVERROR(EAGAIN) || status == AVERROR_EOF) return;
    require(status);
    packet_->duration = 1;
    av_packet_rescale_ts(packet_.get(), encoder_->time_base, container_->stream->time_base);
    packet_->stream_index = container_->stream->index;
    require(av_interleaved_write_frame(container_->muxer, packet_.get()));
  }
}

void VideoSink::write(const Frame& frame) {
  AVFrame& picture = picture_->picture_of(frame);
  picture.pts = frames_++;
  encode(&picture);
}

void VideoSink::finish() {
  if (frames_ == 0) throw WriteError(fmt::format("cannot write {}: there is no frame", name_));
  encode(nullptr);
  require(av_write_trailer(container_->muxer));
  avio_flush(container_->muxer->pb);
  require(container_->muxer->pb->error);
  container_->output.file.commit();
}

}  // namespace sunder
