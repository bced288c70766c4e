#include "io/video/video_decoder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <span>

namespace sunder {

namespace {

/// Failures of the decoder, once its input has ended, after which it is asked no more.
constexpr int most_failures = 64;

}  // namespace

VideoDecoder::VideoDecoder(const VideoInput& input, const DecodingOptions& options,
                           WarningList& warnings)
    : warnings_(warnings), container_(input, options), frame_(new_frame()), packet_(new_packet()) {
  open_codec(options.threads);
}

void VideoDecoder::open_codec(int threads) {
  const AVCodecParameters& parameters = *container_.stream().codecpar;
  const AVCodec* const known = avcodec_find_decoder(parameters.codec_id);
  if (known == nullptr) container_.fail("FFmpeg has no decoder for it; convert it to mp4 or mkv");
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
  if (error < 0) {
    container_.fail(fmt::format("the decoder does not start ({})", libav_reason(error)));
  }
}

void VideoDecoder::lose(Index number, const std::string& why) {
  ++position_;
  warnings_.add(
      fmt::format("{}: frame {} is damaged and left out ({})", input().name, number, why));
}

/// Gives the decoder the next packet of the stream, or tells it that there is none.
void VideoDecoder::feed() {
  const int error = container_.read(*packet_);
  if (error < 0) return end(error);
  send();
  av_packet_unref(packet_.get());
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
  const VideoWatch& watch = container_.watch();
  draining_ = true;
  avcodec_send_packet(codec_.get(), nullptr);
  if (error == AVERROR_EOF || watch.stopped) return;
  warnings_.add(fmt::format("{} broke off after {} frames ({})", input().name, sent_,
                            watch.timed_out ? fmt::format("nothing came for {:g} s", watch.seconds)
                                            : libav_reason(error)));
}

const AVFrame* VideoDecoder::next() {
  int failures = 0;
  container_.watch().start();  // what the caller did meanwhile is no silence of the source
  while (!ended_) {
    if (!draining_ && container_.watch().check()) end(AVERROR_EXIT);
    const int error = avcodec_receive_frame(codec_.get(), frame_.get());
    if (error == AVERROR(EAGAIN)) {
      feed();
    } else if (error == AVERROR_EOF || (error < 0 && draining_ && ++failures > most_failures)) {
      ended_ = true;
      check_length();
    } else if (error < 0) {
      lose(position_, libav_reason(error));
    } else if (frame_->decode_error_flags != 0 || (frame_->flags & AV_FRAME_FLAG_CORRUPT) != 0) {
      lose(position_, "parts of the picture are missing");
    } else {
      last_intact_ = position_++;
      if (frame_->best_effort_timestamp != AV_NOPTS_VALUE) {
        last_seconds_ = static_cast<double>(frame_->best_effort_timestamp) *
                        av_q2d(container_.stream().time_base);
      }
      return frame_.get();
    }
  }
  return nullptr;
}

double VideoDecoder::frames_per_second() const {
  return input().has_rate ? container_.frames_per_second() : 0;
}

/// FFmpeg takes the end of a cut-off file for the end of the video.
void VideoDecoder::check_length() {
  if (stopped() || input().live) return;
  if (!input().gap.empty()) warnings_.add(input().name + ": " + input().gap);
  const Index promised = container_.promised_frames();
  const double seconds = container_.promised_seconds();
  const double rate = container_.frames_per_second();
  const double tolerance = 0.1 + (rate > 0 ? 2.5 / rate : 0.5);
  if (promised > 0 && position_ < promised) {
    warnings_.add(
        fmt::format("{} ends after frame {} where it promises {} frames: it is cut off or damaged",
                    input().name, last_intact_, promised));
  } else if (promised <= 0 && last_seconds_ >= 0 && seconds > last_seconds_ + tolerance) {
    warnings_.add(
        fmt::format("{} ends after frame {}, at {:.2f} s where it promises {:.2f} s: it is cut off "
                    "or damaged",
                    input().name, last_intact_, last_seconds_, seconds));
  }
}

}  // namespace sunder
