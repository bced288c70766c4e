#pragma once
/// A tensor whose entries are fetched from where they lie, some at a time.

#include <cstdint>
#include <memory>
#include <span>

#include "sunder/core/tensor_view.hpp"

namespace sunder {

/// Entries are numbered in the order of their storage, in which they follow each other without a
/// gap. One call at a time, from any thread. Throws InputError where the entries cannot be read.
class EntryReader {
 public:
  virtual ~EntryReader() = default;

  /// Shape, type and strides of the whole tensor; no data.
  virtual TensorView layout() const = 0;
  /// The entries first .. first + count, of the tensor's own type.
  virtual void read(Index first, Index count, void* out) = 0;
  /// The entries with these numbers, which ascend and may repeat, widened.
  virtual void read_at(std::span<const Index> numbers, std::span<double> out) = 0;
  /// What the calls so far took from the storage, in whole blocks of it.
  virtual std::int64_t bytes_read() const = 0;
  /// Bytes that the reader keeps in memory for itself.
  virtual std::int64_t memory() const { return 0; }
};

/// A tensor that stays where it is stored while it is worked on.
struct StoredTensor {
  std::shared_ptr<EntryReader> reader;
  TensorView layout;         ///< the reader's own, or the same with modes grouped
  Index window_entries = 0;  ///< read at a time; two windows are in memory
};

}  // namespace sunder
