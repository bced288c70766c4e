#pragma once
/// Reading of .npy files, which are mapped into memory when the entries are needed, not copied.

#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "io/files/mapped_file.hpp"
#include "io/npy/npy_header.hpp"
#include "sunder/io/tensor_file.hpp"

namespace sunder {

/// A file with its header, whatever the dtype.
struct NpyArray {
  std::string name;
  NpyHeader header;

  struct Entries {
    std::shared_ptr<const MappedFile> file;
    std::span<const std::byte> bytes;
  };

  explicit NpyArray(const std::filesystem::path& path);
  /// Throws InputError if the file is shorter than its header promises.
  void require_entries(std::size_t entry_bytes) const;
  /// Checks the same and maps the entries.
  Entries map(std::size_t entry_bytes) const;
};

class NpyFile : public TensorFile {
 public:
  explicit NpyFile(const std::filesystem::path& path);

  std::string format() const override;
  Shape shape() const override { return array_.header.shape; }
  ScalarType type() const override { return type_; }
  StorageOrder storage_order() const override { return array_.header.order; }
  LoadedTensor load() const override;
  bool slices(int /*mode*/) const override { return aligned(); }
  std::unique_ptr<EntryReader> reader() const override;
  bool boolean() const override { return array_.header.dtype.ends_with("b1"); }
  void scan(const std::function<Continue(const TensorView& slab)>& visit) const override;

 private:
  bool aligned() const;

  NpyArray array_;
  ScalarType type_;
};

}  // namespace sunder
