#pragma once
/// A file mapped into memory, without a copy.

#include <cstddef>
#include <filesystem>
#include <limits>
#include <span>

namespace sunder {

/// The mapping is read-only and private. Pages are loaded on first access, so the file may be
/// larger than the memory, though not larger than the address space (`ulimit -v`).
class MappedFile {
 public:
  /// Maps the whole file, or at most the first `most` bytes. Throws InputError, naming the file, if
  /// it is missing, unreadable, empty, or not a regular file, and std::bad_alloc if there is no
  /// room for it.
  explicit MappedFile(const std::filesystem::path& path,
                      std::size_t most = std::numeric_limits<std::size_t>::max());
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

/// Checks the same and returns the number of bytes.
std::size_t size_of_readable_file(const std::filesystem::path& path);

}  // namespace sunder
