#pragma once
/// Frames into one array.

#include "core/files/output_file.hpp"
#include "sunder/video/write_frames.hpp"

namespace sunder {

/// H x W x T, or H x W x 3 x T, in Fortran order: there frames follow one another, so that each is
/// written as it comes. How many there are is put into the header at the end.
class NpySink : public FrameSink {
 public:
  NpySink(const std::filesystem::path& path, const FrameFormat& format);

  void write(const Frame& frame) override;
  void finish() override;

 private:
  void write_header();
  template <class Code>
  void write_transposed(const Code* codes);

  std::string name_;
  FrameFormat format_;
  OutputFile file_;
  std::vector<std::uint8_t> column_by_column_;
  Index frames_ = 0;
};

}  // namespace sunder
