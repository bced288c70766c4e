#pragma once
/// Files that contain only entries, in C order; the caller provides shape and type.

#include <filesystem>
#include <memory>

#include "sunder/io/tensor_file.hpp"

namespace sunder {

class RawFile : public TensorFile {
 public:
  /// Throws InputError unless the file has exactly the size of such a tensor.
  RawFile(const std::filesystem::path& path, const RawLayout& layout);

  std::string format() const override { return "raw"; }
  Shape shape() const override { return layout_.shape; }
  ScalarType type() const override { return layout_.type; }
  StorageOrder storage_order() const override { return StorageOrder::c; }
  LoadedTensor load() const override;
  bool slices(int /*mode*/) const override { return true; }
  std::unique_ptr<EntryReader> reader() const override;
  void scan(const std::function<Continue(const TensorView& slab)>& visit) const override;

 private:
  void require_size(std::size_t bytes) const;

  std::filesystem::path path_;
  RawLayout layout_;
};

}  // namespace sunder
