#include "io/video/video_container.hpp"

#include <fmt/format.h>

#include <cmath>
#include <new>
#include <thread>

#include "io/files/formats.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace {

/// Packets that cannot be read, one after the other, before the video counts as broken off.
constexpr int most_bad_reads = 64;

double plausible_rate(AVRational rate) {
  if (rate.num <= 0 || rate.den <= 0) return 0;
  const double value = av_q2d(rate);
  // Containers without a rate show their clock (90000 per second) instead.
  return value >= 1e-3 && value <= 1e4 ? value : 0;
}

}  // namespace

VideoInput file_input(const std::filesystem::path& path) {
  VideoInput input;
  input.name = path.string();
  input.url = "file:" + input.name;
  input.protocols = "file";
  return input;
}

bool is_video(const std::filesystem::path& path) {
  try {
    const VideoContainer container(file_input(path), {});
    return true;
  } catch (const MissingLibrary&) {
    throw;  // nobody can tell whether it is one
  } catch (const InputError&) {
    return false;
  }
}

bool VideoWatch::check() {
  if (stop && stop()) stopped = true;
  const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - since;
  if (seconds > 0 && waited.count() > seconds) timed_out = true;
  return stopped || timed_out;
}

VideoContainer::VideoContainer(const VideoInput& input, const DecodingOptions& options)
    : input_(input) {
  watch_.stop = options.stop;
  watch_.seconds = input.live ? options.timeout_seconds : 0;
  open();
  watch_.start();
  stream_ = find_video_stream(*container_);
  if (stream_ < 0 && watch_.timed_out) {
    fail(fmt::format("no video came for {:g} s; check the address", watch_.seconds));
  }
  if (stream_ < 0) fail("there is no video in it; name a file that holds one");
}

void VideoContainer::fail(const std::string& what) const {
  if (watch_.stopped) throw Cancelled();
  throw InputError(fmt::format("cannot read the video {}: {}", input_.name, what));
}

void VideoContainer::open() {
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
}

int VideoContainer::read(AVPacket& packet) {
  watch_.start();
  while (true) {
    const int error = av_read_frame(container_.get(), &packet);
    if (error == AVERROR(EAGAIN) && !watch_.check()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      continue;
    }
    if (error == AVERROR_INVALIDDATA && ++bad_reads_ < most_bad_reads) continue;
    if (error < 0) return error;
    bad_reads_ = 0;
    if (packet.stream_index == stream_) return 0;
    av_packet_unref(&packet);
  }
}

double VideoContainer::frames_per_second() const { return plausible_rate(stream().avg_frame_rate); }

Index VideoContainer::promised_frames() const { return std::max<Index>(stream().nb_frames, 0); }

/// The length of the whole file may be that of the sound.
double VideoContainer::promised_seconds() const {
  const AVStream& video = stream();
  if (video.duration > 0) {
    // As fractions: the sum of what a damaged file says may not fit.
    const double begin =
        video.start_time == AV_NOPTS_VALUE ? 0 : static_cast<double>(video.start_time);
    return (begin + static_cast<double>(video.duration)) * av_q2d(video.time_base);
  }
  if (container_->nb_streams != 1 || container_->duration <= 0) return 0;
  return static_cast<double>(container_->duration) / AV_TIME_BASE;
}

Index VideoContainer::expected_frames() const {
  if (promised_frames() > 0) return promised_frames();
  if (input_.live) return -1;
  const double frames = promised_seconds() * frames_per_second();
  return frames >= 1 && frames < 1e12 ? std::llround(frames) : -1;
}

}  // namespace sunder
