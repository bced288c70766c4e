#pragma once
/// A file seen as memory, without a copy.

#include <cstddef>
#include <filesystem>
#include <limits>
#include <span>

namespace sunder {

/// Read-only and private. Pages come in as they are touched, so that the size of the file may
/// exceed the memory, though not the address space (`ulimit -v`).
class MappedFile {
 public:
  /// The whole file, or no more than `most` bytes of its beginning. Throws InputError, naming the
  /// file, if it is missing, unreadable, empty, or not a file, and std::bad_alloc if there is no
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

/// The same, and how many bytes it has.
std::size_t size_of_readable_file(const std::filesystem::path& path);

}  // namespace sunder
