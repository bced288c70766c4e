#pragma once
/// A file seen as memory, without a copy.

#include <cstddef>
#include <filesystem>
#include <span>

namespace sunder {

/// Read-only and private. The whole file is mapped; pages come in as they are touched, so that the
/// size of the file may exceed the memory.
class MappedFile {
 public:
  /// Throws InputError, naming the file, if it is missing, unreadable, empty, or not a file.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(data_), size_}; }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Throws InputError unless `path` is a regular file that can be opened and is not empty.
void require_readable_file(const std::filesystem::path& path);

}  // namespace sunder
