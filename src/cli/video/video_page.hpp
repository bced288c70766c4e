#pragma once
/// The page of a segmented clip: some of its frames with background and objects, and the activity
/// over time.

#include <string>
#include <vector>

#include "report/sections/section_data.hpp"
#include "sunder/video/segmentation.hpp"

namespace sunder::cli {

/// Values of a series, all while there are few, then every second, fourth, ... one.
class ThinnedSeries {
 public:
  explicit ThinnedSeries(std::size_t most) : most_(most) {}
  void add(double value);
  const std::vector<double>& values() const { return values_; }
  Index stride() const { return stride_; }

 private:
  std::size_t most_;
  std::vector<double> values_;
  Index stride_ = 1;
  Index seen_ = 0;
};

/// Small grey copies of some frames.
class FrameAlbum {
 public:
  explicit FrameAlbum(const FrameFormat& format);
  /// Whether this frame is wanted; frames come in order, and each is asked about once.
  bool wants(Index number) const;
  void add(Index number, const Frame& frame, const Frame& background,
           const std::vector<std::uint8_t>& mask);
  ImagesData images(Index frames) const;

 private:
  struct Picture {
    Index number = 0;
    std::vector<float> frame, background, mask;
  };
  std::vector<float> reduced(const Frame& frame) const;

  FrameFormat format_;
  Index step_ = 1;  // pixels of the clip for one of a picture, each way
  Index rows_ = 0;
  Index columns_ = 0;
  std::size_t most_ = 0;
  Index stride_ = 1;
  std::vector<Picture> pictures_;
};

struct VideoPage {
  std::string input;
  std::string verdict;  ///< in a sentence
  std::vector<std::string> warnings;
  double fps = 0;
  Index frames = 0;
};

std::string render_video(const VideoPage& about, const FrameAlbum& album,
                         const ThinnedSeries& activity, const ThinnedSeries& gains);

}  // namespace sunder::cli
