#pragma once
/// A tensor that stays in its file and is read in windows of bounded size; the next window is read
/// while the current one is processed.

#include <future>
#include <memory>

#include "engine/source/source.hpp"
#include "sunder/core/entry_reader.hpp"

namespace sunder {

/// Owns two buffers. One thread at a time calls the reader: the read-ahead thread, or the caller's
/// thread once the read-ahead has ended.
class ReaderSource final : public Source {
 public:
  /// `layout` is the reader's own, or the same entries with modes grouped or reordered.
  ReaderSource(std::shared_ptr<EntryReader> reader, const TensorView& layout, Index window_entries);

  const TensorView& layout() const override { return layout_; }
  Index window_entries() const override { return window_entries_; }
  Window window(EntryRange current, EntryRange next) override;
  void read_at(std::span<const Index> offsets, std::span<double> out) override;
  std::int64_t bytes_read() const override { return reader_->bytes_read(); }

 private:
  struct Buffer {
    std::unique_ptr<std::byte[]> data;
    Index capacity = 0;
    EntryRange range;
  };
  void fill(Buffer& buffer, EntryRange range);
  /// Waits for the read-ahead; rethrows its failure if `wanted`.
  void settle(bool wanted);

  std::shared_ptr<EntryReader> reader_;
  TensorView layout_;
  Index window_entries_;
  Buffer front_;
  Buffer back_;
  std::future<void>
      ahead_;  // declared last: its destructor waits for a thread that uses the others
};

}  // namespace sunder
