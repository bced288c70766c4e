#pragma once
/// Small grey copies of some frames of a clip, for its page.

#include <vector>

#include "sunder/video/frame.hpp"

namespace sunder {

class FrameAlbum {
 public:
  struct Picture {
    Index number = 0;  ///< of the frame
    std::vector<float> frame, background, mask;
  };

  explicit FrameAlbum(const FrameFormat& format);
  /// Whether this frame is wanted; frames come in order, and each is asked about once.
  bool wants(Index number) const { return number % stride_ == 0; }
  void add(Index number, const Frame& frame, const Frame& background,
           const std::vector<std::uint8_t>& mask);

  const FrameFormat& format() const { return format_; }
  Index step() const { return step_; }  ///< pixels of the clip for one of a picture, each way
  Index rows() const { return rows_; }
  Index columns() const { return columns_; }
  const std::vector<Picture>& pictures() const { return pictures_; }

 private:
  std::vector<float> reduced(const Frame& frame) const;

  FrameFormat format_;
  Index step_ = 1;
  Index rows_ = 0;
  Index columns_ = 0;
  std::size_t most_ = 0;
  Index stride_ = 1;
  std::vector<Picture> pictures_;
};

}  // namespace sunder
