#pragma once
/// Frames of an array in a file.

#include <memory>
#include <optional>

#include "sunder/io/tensor_file.hpp"
#include "video/frames/frame_range.hpp"

namespace sunder {

/// Reads blocks of frames within a bounded buffer: where time runs fastest in the file, a single
/// frame is spread over all of it, and a block takes one sweep as a frame does.
class ArrayFrames : public FrameSource {
 public:
  /// Throws InputError if the shape does not fit the layout, or an entry is not finite. `name` is
  /// for messages.
  ArrayFrames(std::unique_ptr<TensorFile> file, std::string name, const FrameOptions& options);

  FrameFormat format() const override { return target_; }
  double frames_per_second() const override;
  Index expected_frames() const override { return range_.count(frames_); }
  bool next(Frame& frame) override;
  bool rewind() override;
  std::vector<std::string> warnings() const override { return {}; }

 private:
  [[noreturn]] void fail(const std::string& what) const;
  void find_modes(const std::string& layout);
  void choose_formats();
  Index block_length() const;
  void load_block();
  /// Some rows of some frames.
  struct Part {
    Index row_begin;
    Index row_end;
    Index begin;
    Index end;
  };
  bool row_by_row(const TensorView& block) const;
  template <class T, class Code, class CodeOf>
  void gather_part(const TensorView& block, const Part& part, const CodeOf& code_of);
  template <class T, class Code, class CodeOf>
  void gather(const TensorView& block, const CodeOf& code_of);
  template <class T>
  void fill_block(const TensorView& block);

  std::unique_ptr<TensorFile> file_;
  std::string name_;
  FrameOptions options_;
  FrameRange range_;
  int row_mode_ = 0;
  int column_mode_ = 1;
  int channel_mode_ = -1;  ///< -1: there is none
  int time_mode_ = 2;
  Index frames_ = 0;
  FrameFormat format_;  ///< as in the file, before scaling and grey
  FrameFormat target_;
  std::optional<LoadedTensor> whole_;  ///< where the file cannot be read in part
  std::vector<std::uint8_t> block_;
  Index block_begin_ = 0;
  Index block_end_ = 0;
  Index position_ = 0;
};

}  // namespace sunder
