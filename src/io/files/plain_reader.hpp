#pragma once
/// Reads entries that lie contiguously in a file, as in .npy and raw files. It does not map the
/// file, because mapped pages would count as memory of the process.

#include <filesystem>
#include <string>

#include "sunder/core/entry_reader.hpp"

namespace sunder {

/// An open file descriptor.
class InputDescriptor {
 public:
  /// Opens the file. Throws InputError if that fails.
  explicit InputDescriptor(const std::filesystem::path& path);
  ~InputDescriptor();
  InputDescriptor(const InputDescriptor&) = delete;
  InputDescriptor& operator=(const InputDescriptor&) = delete;

  int get() const { return descriptor_; }
  /// Reads bytes. Throws InputError, naming the file, unless all bytes arrive.
  void read(std::int64_t at, std::span<std::byte> out) const;

 private:
  std::string name_;
  int descriptor_;
};

class PlainReader final : public EntryReader {
 public:
  /// `first_byte` is the position of the first entry.
  PlainReader(const std::filesystem::path& path, std::int64_t first_byte, ScalarType type,
              const Shape& shape, StorageOrder order);

  TensorView layout() const override { return layout_; }
  void read(Index first, Index count, void* out) override;
  void read_at(std::span<const Index> numbers, std::span<double> out) override;
  std::int64_t bytes_read() const override { return bytes_read_; }

 private:
  InputDescriptor sequential_;
  InputDescriptor scattered_;  ///< for scattered reads, without the system's read-ahead
  std::int64_t first_byte_;
  TensorView layout_;
  std::int64_t bytes_read_ = 0;
};

}  // namespace sunder
