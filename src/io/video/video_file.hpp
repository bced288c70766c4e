#pragma once
/// Videos as tensors: H x W x T if grey, H x W x 3 x T if coloured.

#include <filesystem>
#include <string>

#include "sunder/io/tensor_file.hpp"

namespace sunder {

/// Every frame counts in a tensor: a video with a damaged frame, or with fewer frames than it
/// promises, cannot be loaded.
class VideoFile : public TensorFile {
 public:
  /// Throws InputError if the file is not a video, or is one that cannot be decoded.
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
  Index frame_bytes() const { return shape_.entries() / shape_[shape_.order() - 1]; }

  std::filesystem::path path_;
  std::string codec_;
  Shape shape_;
};

}  // namespace sunder
