#include "video/job/clip_outputs.hpp"

#include <algorithm>

namespace sunder {

namespace {

FrameFormat mask_format(FrameFormat format) {
  format.channels = 1;
  format.bits = 8;
  format.offset = 0;
  format.scale = 1;
  return format;
}

std::unique_ptr<FrameSink> open_output(const std::filesystem::path& folder, const std::string& name,
                                       const std::string& ending, const FrameFormat& format,
                                       double frames_per_second, const WriteOptions& options) {
  if (ending == "none") return nullptr;
  const std::string file = ending == "png" ? name + "_%06d.png" : name + "." + ending;
  return create_frames(folder / file, format, frames_per_second, options);
}

}  // namespace

ClipOutputs::ClipOutputs(const std::filesystem::path& folder, const OutputFormats& formats,
                         const FrameFormat& format, double frames_per_second, bool lossless)
    : format_(format) {
  WriteOptions options;
  options.lossless = lossless;
  background_ =
      open_output(folder, "background", formats.background, format, frames_per_second, options);
  foreground_ =
      open_output(folder, "foreground", formats.foreground, format, frames_per_second, options);
  options.mask = true;
  mask_ =
      open_output(folder, "mask", formats.mask, mask_format(format), frames_per_second, options);
}

void ClipOutputs::write(const SegmentedFrame& segmented) {
  const std::vector<std::uint8_t>& mask = segmented.decision.mask;
  if (background_) background_->write(segmented.background());
  if (foreground_) {
    objects_ = segmented.frame;
    const auto bytes = static_cast<std::size_t>(format_.channels * format_.bits / 8);
    for (std::size_t p = 0; p < mask.size(); ++p) {
      if (mask[p] != 0) continue;
      std::fill_n(objects_.bytes.begin() + static_cast<std::ptrdiff_t>(p * bytes), bytes,
                  std::uint8_t{0});
    }
    foreground_->write(objects_);
  }
  if (mask_) {
    objects_.bytes = mask;
    mask_->write(objects_);
  }
}

void ClipOutputs::finish() {
  for (FrameSink* sink : {background_.get(), foreground_.get(), mask_.get()}) {
    if (sink != nullptr) sink->finish();
  }
}

}  // namespace sunder
