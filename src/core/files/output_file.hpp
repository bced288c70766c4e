#pragma once
/// An output file that appears complete or not at all.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace sunder {

/// Writes to a hidden temporary file beside `path`, which commit() renames to `path`; without
/// commit() the destructor removes it.
class OutputFile {
 public:
  /// Throws OutputError for a path that is a folder or a device, WriteError if the temporary file
  /// cannot be created.
  explicit OutputFile(std::filesystem::path path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Throws WriteError unless everything is written.
  void write(std::span<const std::byte> bytes);
  template <class T>
  void write_values(std::span<const T> values) {
    write(std::as_bytes(values));
  }
  /// Moves the next write to a position, in bytes from the beginning.
  void seek(std::int64_t position);
  void commit();

 private:
  [[noreturn]] void fail(int error) const;

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  int descriptor_ = -1;
};

}  // namespace sunder
