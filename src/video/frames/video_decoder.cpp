#include "video/frames/video_decoder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <span>
#include <thread>

#include "sunder/core/error.hpp"

namespace sunder {

namespace {

constexpr int most_bad_reads = 64;

double plausible_rate(AVRational rate) {
  if (rate.num <= 0 || rate.den <= 0) return 0;
  const double value = av_q2d(rate);
  // Containers without a rate show their clock (90000 per second) instead.
  return value >= 1e-3 && value <= 1e4 ? value : 0;
}

}  // namespace

bool VideoWatch::check() {
  if (stop && stop()) stopped = true;
  const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - since;
  if (seconds > 0 && waited.count() > seconds) timed_out = true;
  return stopped || timed_out;
}

VideoDecoder::VideoDecoder(const VideoInput& input, const FrameOptions& options,
                           WarningList& warnings)
    : input_(input), warnings_(warnings), frame_(new_frame()), packet_(new_packet()) {
  watch_.stop = options.stop;
  watch_.seconds = input.live ? options.timeout_seconds : 0;
  open_container();
  open_codec(options.threads);
}

void VideoDecoder::fail(const std::string& what) const {
  if (watch_.stopped) throw Cancelled();
  throw InputError(fmt::format("cannot read the video {}: {}", input_.name, what));
}

void VideoDecoder::open_container() {
  prepare_libav();
  LibavOptions options;
  if (!input_.protocols.empty()) options.set("protocol_whitelist", input_.protocols);
  for (const auto& [key, value] : input_.options) options.set(key, value);
  const AVInputFormat* const format =
      input_.format.empty() ? nullptr : av_find_input_format(input_.format.c_str());
  if (!input_.format.empty() && format == nullptr) {
    fail(fmt::format("FFmpeg's {} is missing here", input_.format));
  }
  AVFormatContext* context = avformat_alloc_context();
  if (context == nullptr) throw std::bad_alloc();
  context->interrupt_callback = {
      [](void* watch) { return static_cast<VideoWatch*>(watch)->check() ? 1 : 0; }, &watch_};
  watch_.start();
  const int error = avformat_open_input(&context, input_.url.c_str(), format, options.get());
  if (error < 0 && input_.live) {
    fail(watch_.timed_out
             ? fmt::format("nothing came for {:g} s; check the address", watch_.seconds)
             : fmt::format("FFmpeg says: {}; check the address", libav_reason(error)));
  }
  if (error < 0 && input_.format == "image2") fail("no file has such a name; check the folder");
  if (error < 0) {
    fail("FFmpeg finds no video in it; if it should hold one, it is damaged or cut off");
  }
  container_.reset(context);
  watch_.start();
  stream_ = find_video_stream(*context);
  if (stream_ < 0 && watch_.timed_out) {
    fail(fmt::format("no video came for {:g} s; check the address", watch_.seconds));
  }
  if (stream_ < 0) fail("there is no video in it; name a file that holds one");
}

void VideoDecoder::open_codec(int threads) {
  const AVCodecParameters& parameters = *container_->streams[stream_]->codecpar;
  const AVCodec* const known = avcodec_find_decoder(parameters.codec_id);
  if (known == nullptr) fail("FFmpeg has no decoder for it; convert it to mp4 or mkv");
  codec_.reset(avcodec_alloc_context3(known));
  if (!codec_) throw std::bad_alloc();
  int error = avcodec_parameters_to_context(codec_.get(), &parameters);
  codec_->thread_count = threads;
  // Codecs that carry checksums patch a damaged picture in silence unless told not to.
  const AVCodecDescriptor* const about = avcodec_descriptor_get(parameters.codec_id);
  constexpr int checked = AV_CODEC_PROP_INTRA_ONLY | AV_CODEC_PROP_LOSSLESS;
  const bool lossy = about != nullptr && (about->props & AV_CODEC_PROP_LOSSY) != 0;
  if (about != nullptr && (about->props & checked) != 0 && !lossy) {
    codec_->err_recognition = AV_EF_CRCCHECK | AV_EF_EXPLODE;
  }
  if (error >= 0) error = avcodec_open2(codec_.get(), known, nullptr);
  if (error < 0) fail(fmt::format("the decoder does not start ({})", libav_reason(error)));
}

void VideoDecoder::lose(Index number, const std::string& why) {
  ++position_;
  warnings_.add(fmt::format("{}: frame {} is damaged and left out ({})", input_.name, number, why));
}

/// Gives the decoder the next packet of the stream, or tells it that there is none.
void VideoDecoder::feed() {
  watch_.start();
  while (true) {
    const int error = av_read_frame(container_.get(), packet_.get());
    if (error == AVERROR(EAGAIN) && !watch_.check()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      continue;
    }
    if (error == AVERROR_INVALIDDATA && ++bad_reads_ < most_bad_reads) continue;
    if (error < 0) return end(error);
    bad_reads_ = 0;
    const bool ours = packet_->stream_index == stream_;
    if (ours) send();
    av_packet_unref(packet_.get());
    if (ours) return;
  }
}

void VideoDecoder::send() {
  // Ahead of the picture to come by the delay of the decoder; the same where there is none.
  const Index number = std::max(sent_++, position_);
  const std::span<const std::uint8_t> bytes(packet_->data, static_cast<std::size_t>(packet_->size));
  if ((packet_->flags & AV_PKT_FLAG_CORRUPT) != 0) {
    lose(number, "its data are incomplete");
  } else if (codec_->codec_id == AV_CODEC_ID_FFV1 && ffv1_check_.damaged(bytes)) {
    lose(number, "its checksum is wrong");
  } else if (const int error = avcodec_send_packet(codec_.get(), packet_.get()); error < 0) {
    lose(number, libav_reason(error));
  }
}

void VideoDecoder::end(int error) {
  draining_ = true;
  avcodec_send_packet(codec_.get(), nullptr);
  if (error == AVERROR_EOF || watch_.stopped) return;
  warnings_.add(fmt::format("{} broke off after {} frames ({})", input_.name, sent_,
                            watch_.timed_out
                                ? fmt::format("nothing came for {:g} s", watch_.seconds)
                                : libav_reason(error)));
}

const AVFrame* VideoDecoder::next() {
  int failures = 0;
  watch_.start();  // what the caller did meanwhile is no silence of the source
  while (!ended_) {
    if (!draining_ && watch_.check()) end(AVERROR_EXIT);
    const int error = avcodec_receive_frame(codec_.get(), frame_.get());
    if (error == AVERROR(EAGAIN)) {
      feed();
    } else if (error == AVERROR_EOF || (error < 0 && draining_ && ++failures > most_bad_reads)) {
      ended_ = true;
      check_length();
    } else if (error < 0) {
      lose(position_, libav_reason(error));
    } else if (frame_->decode_error_flags != 0 || (frame_->flags & AV_FRAME_FLAG_CORRUPT) != 0) {
      lose(position_, "parts of the picture are missing");
    } else {
      last_intact_ = position_++;
      const AVRational base = container_->streams[stream_]->time_base;
      if (frame_->best_effort_timestamp != AV_NOPTS_VALUE) {
        last_seconds_ = static_cast<double>(frame_->best_effort_timestamp) * av_q2d(base);
      }
      return frame_.get();
    }
  }
  return nullptr;
}

double VideoDecoder::frames_per_second() const {
  return input_.has_rate ? plausible_rate(container_->streams[stream_]->avg_frame_rate) : 0;
}

/// From the beginning of the clock to the end of the video; 0 where the file does not say. The
/// length of the whole file may be that of the sound.
double VideoDecoder::promised_seconds() const {
  const AVStream& stream = *container_->streams[stream_];
  if (stream.duration > 0) {
    // As fractions: the sum of what a damaged file says may not fit.
    const double begin =
        stream.start_time == AV_NOPTS_VALUE ? 0 : static_cast<double>(stream.start_time);
    return (begin + static_cast<double>(stream.duration)) * av_q2d(stream.time_base);
  }
  if (container_->nb_streams != 1 || container_->duration <= 0) return 0;
  return static_cast<double>(container_->duration) / AV_TIME_BASE;
}

Index VideoDecoder::expected_frames() const {
  const AVStream& stream = *container_->streams[stream_];
  if (stream.nb_frames > 0) return stream.nb_frames;
  if (input_.live) return -1;
  const double frames =
      promised_seconds() * plausible_rate(container_->streams[stream_]->avg_frame_rate);
  return frames >= 1 && frames < 1e12 ? std::llround(frames) : -1;
}

/// FFmpeg takes the end of a cut-off file for the end of the video.
void VideoDecoder::check_length() {
  if (watch_.stopped || input_.live) return;
  if (!input_.gap.empty()) warnings_.add(input_.name + ": " + input_.gap);
  const Index promised = container_->streams[stream_]->nb_frames;
  const double seconds = promised_seconds();
  const double rate = plausible_rate(container_->streams[stream_]->avg_frame_rate);
  const double tolerance = 0.1 + (rate > 0 ? 2.5 / rate : 0.5);
  if (promised > 0 && position_ < promised) {
    warnings_.add(
        fmt::format("{} ends after frame {} where it promises {} frames: it is cut off or damaged",
                    input_.name, last_intact_, promised));
  } else if (promised <= 0 && last_seconds_ >= 0 && seconds > last_seconds_ + tolerance) {
    warnings_.add(
        fmt::format("{} ends after frame {}, at {:.2f} s where it promises {:.2f} s: it is cut off "
                    "or damaged",
                    input_.name, last_intact_, last_seconds_, seconds));
  }
}

}  // namespace sunder
