#include "io/video/video_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/files/mapped_file.hpp"
#include "io/files/memory.hpp"
#include "io/files/open_array.hpp"
#include "io/video/pixel_conversion.hpp"
#include "io/video/video_decoder.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace {

/// What the container says, or else the number of its packets, for which the file is read once.
Index count_frames(const VideoInput& input) {
  VideoContainer container(input, {});
  if (container.promised_frames() > 0) return container.promised_frames();
  const LibavOwned<AVPacket> packet = new_packet();
  Index count = 0;
  for (; container.read(*packet) >= 0; ++count) av_packet_unref(packet.get());
  return count;
}

/// The frames of a video in order, each of them intact and of the same size.
class IntactFrames {
 public:
  IntactFrames(const std::filesystem::path& path, const Shape& shape)
      : name_(path.string()),
        shape_(shape),
        decoder_(file_input(path), {}, warnings_),
        conversion_(static_cast<int>(shape[1]), static_cast<int>(shape[0]),
                    shape.order() == 3 ? AV_PIX_FMT_GRAY8 : AV_PIX_FMT_RGB24) {}

  /// The next frame, row by row, channels adjacent. Throws InputError if there is none, or if it or
  /// one before it is damaged.
  void read(void* out) {
    const AVFrame* const frame = decoder_.next();
    require_no_damage();
    const Index frames = shape_[shape_.order() - 1];
    if (frame == nullptr) {
      fail(
          fmt::format("it promises {} frames, but {} could be decoded; it is cut off or damaged, "
                      "copy or convert it again",
                      frames, time_));
    }
    if (frame->width != shape_[1] || frame->height != shape_[0]) {
      fail(fmt::format("frame {} is {} x {} where the first is {} x {}; convert it to one size",
                       time_, frame->width, frame->height, shape_[1], shape_[0]));
    }
    const AVFrame* const converted = conversion_.convert(*frame);
    if (converted == nullptr) {
      fail(fmt::format("frame {} cannot be converted to 8 bits; convert it to mp4 or mkv", time_));
    }
    const auto row = static_cast<int>(shape_.entries() / frames / shape_[0]);
    av_image_copy_plane(static_cast<std::uint8_t*>(out), row, converted->data[0],
                        converted->linesize[0], row, frame->height);
    ++time_;
  }

  /// After the last frame. Throws InputError if the video is cut off behind it.
  void finish() {
    decoder_.next();
    require_no_damage();
  }

 private:
  void require_no_damage() const {
    const std::vector<std::string> damages = warnings_.sentences();
    if (damages.empty()) return;
    throw InputError(
        fmt::format("cannot read a video as a tensor, which needs every frame: {}; copy or convert "
                    "the video again",
                    damages.front()));
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("cannot read the video {}: {}", name_, what));
  }

  std::string name_;
  Shape shape_;
  WarningList warnings_;
  VideoDecoder decoder_;
  PixelConversion conversion_;
  Index time_ = 0;
};

}  // namespace

VideoFile::VideoFile(const std::filesystem::path& path) : path_(path) {
  require_readable_file(path);
  const VideoInput input = file_input(path);
  WarningList warnings;
  const VideoDecoder decoder(input, {}, warnings);
  const AVCodecParameters& video = *decoder.container().stream().codecpar;
  const auto pixels = static_cast<AVPixelFormat>(video.format);
  codec_ = avcodec_get_name(video.codec_id);
  if (video.width <= 0 || video.height <= 0 || pixels == AV_PIX_FMT_NONE) {
    decoder.container().fail("its frames have no size or pixel format; the file is damaged");
  }
  if (video.codec_id == AV_CODEC_ID_TIFF) {
    decoder.container().fail(
        "it is a TIFF file, of which only one page could be read; write all pages as an array, for "
        "example by numpy.save('T.npy', tifffile.imread('stack.tif'))");
  }
  if (is_deep(pixels)) {
    decoder.container().fail(
        "its values have more than 8 bits, which would be lost: a video is read as a tensor of 8 "
        "bits; convert it to 8 bits, or to a .npy file");
  }
  const Index frames = count_frames(input);
  if (frames == 0) decoder.container().fail("it holds no frame");
  // The number may be what the header says; a frame takes a byte at least.
  const auto bytes = static_cast<Index>(std::filesystem::file_size(path));
  if (frames > bytes) {
    decoder.container().fail(
        fmt::format("it promises {} frames in {} bytes; it is damaged, copy or convert it again",
                    frames, bytes));
  }
  shape_ = is_grey(pixels) ? Shape{video.height, video.width, frames}
                           : Shape{video.height, video.width, 3, frames};
}

std::string VideoFile::format() const { return fmt::format("video ({})", codec_); }

TensorView VideoFile::view_of(const void* frames, Index count) const {
  const int time = shape_.order() - 1;
  const Shape shape = with_extent(shape_, time, count);
  const Shape frame = with_extent(shape_, time, 1);
  ModeIndices strides = contiguous_strides(frame, StorageOrder::c);
  strides[time] = frame.entries();
  return {frames, ScalarType::u8, shape, strides};
}

LoadedTensor VideoFile::load() const {
  require_memory(shape_, type(), path_.string());
  IntactFrames source(path_, shape_);
  const auto memory = std::make_shared<DenseTensor>(shape_, type());
  auto* const first = static_cast<std::uint8_t*>(memory->data());
  const Index frames = shape_[shape_.order() - 1];
  for (Index time = 0; time < frames; ++time) {
    source.read(first + time * frame_bytes());
  }
  source.finish();
  return {view_of(first, frames), memory};
}

void VideoFile::scan(const std::function<Continue(const TensorView& slab)>& visit) const {
  IntactFrames source(path_, shape_);
  const int mode = shape_.order() - 1;
  const Index length = slab_length(shape_, type(), mode);
  require_memory(with_extent(shape_, mode, length), type(), path_.string());
  DenseTensor memory(with_extent(shape_, mode, length), type());
  auto* const first = static_cast<std::uint8_t*>(memory.data());
  for (Index begin = 0; begin < shape_[mode]; begin += length) {
    const Index count = std::min(length, shape_[mode] - begin);
    for (Index k = 0; k < count; ++k) source.read(first + k * frame_bytes());
    if (visit(view_of(first, count)) == Continue::cancel) return;
  }
  source.finish();
}

std::unique_ptr<TensorFile> open_video(const TensorLocation& location) {
  require_no_name(location, "a video");
  return std::make_unique<VideoFile>(location.path);
}

}  // namespace sunder
