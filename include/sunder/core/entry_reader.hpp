#pragma once
/// Access to a tensor that stays in its file, a range of entries at a time.

#include <cstdint>
#include <memory>
#include <span>

#include "sunder/core/tensor_view.hpp"

namespace sunder {

/// Entries are numbered in storage order, which has no gaps. Any thread may call a reader, but only
/// one call may be active at a time. Throws InputError if the entries cannot be read.
class EntryReader {
 public:
  virtual ~EntryReader() = default;

  /// Returns shape, type and strides of the whole tensor; the view has no data.
  virtual TensorView layout() const = 0;
  /// Reads the entries first .. first + count, in the tensor's own type.
  virtual void read(Index first, Index count, void* out) = 0;
  /// Reads the entries with these numbers, widened to double. The numbers ascend and may repeat.
  virtual void read_at(std::span<const Index> numbers, std::span<double> out) = 0;
  /// Returns the number of bytes read from the storage so far, counted in whole storage blocks.
  virtual std::int64_t bytes_read() const = 0;
  /// Returns the number of bytes that the reader itself holds in memory.
  virtual std::int64_t memory() const { return 0; }
};

/// A tensor that stays in its file while an algorithm works on it.
struct StoredTensor {
  std::shared_ptr<EntryReader> reader;
  TensorView layout;         ///< the reader's layout, possibly with modes grouped
  Index window_entries = 0;  ///< entries read at a time; memory holds two such windows
};

}  // namespace sunder
