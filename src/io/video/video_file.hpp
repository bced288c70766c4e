#pragma once
/// Videos as tensors: H x W x T if grey, H x W x 3 x T if coloured.

#include <filesystem>
#include <string>

#include "io/video/video_reader.hpp"
#include "sunder/io/tensor_file.hpp"

namespace sunder {

class VideoFile : public TensorFile {
 public:
  explicit VideoFile(const std::filesystem::path& path);

  std::string format() const override;
  Shape shape() const override { return shape_; }
  ScalarType type() const override { return ScalarType::u8; }
  /// Rows within a frame are in C order, but the last mode, time, is the slowest.
  StorageOrder storage_order() const override { return StorageOrder::c; }
  std::string layout() const override { return "frames"; }
  LoadedTensor load() const override;
  void scan(const std::function<Continue(const TensorView& slab)>& visit) const override;

 private:
  TensorView view_of(const void* frames, Index count) const;
  void read_frame(VideoReader& reader, Index time, void* out) const;

  std::filesystem::path path_;
  std::string codec_;
  Shape shape_;
};

}  // namespace sunder
