#pragma once
/// A tensor that stays in its file: windows of bounded size, the next one read while this one is
/// worked on.

#include <future>
#include <memory>

#include "engine/source/source.hpp"
#include "sunder/core/entry_reader.hpp"

namespace sunder {

/// Two buffers. The reader is called by one thread at a time: a thread of the read-ahead, or the
/// caller's when that has ended.
class ReaderSource final : public Source {
 public:
  /// `layout`: the reader's own, or the same entries with modes grouped or in another order.
  ReaderSource(std::shared_ptr<EntryReader> reader, const TensorView& layout, Index window_entries);

  const TensorView& layout() const override { return layout_; }
  Index window_entries() const override { return window_entries_; }
  Window window(EntryRange now, EntryRange next) override;
  void read_at(std::span<const Index> offsets, std::span<double> out) override;
  std::int64_t bytes_read() const override { return reader_->bytes_read(); }

 private:
  struct Buffer {
    std::unique_ptr<std::byte[]> data;
    Index capacity = 0;
    EntryRange range;
  };
  void fill(Buffer& buffer, EntryRange range);
  /// Ends the read-ahead; `wanted`: its failure is the caller's.
  void settle(bool wanted);

  std::shared_ptr<EntryReader> reader_;
  TensorView layout_;
  Index window_entries_;
  Buffer front_;
  Buffer back_;
  std::future<void> ahead_;  // last: its destructor waits for a thread that uses the others
};

}  // namespace sunder
