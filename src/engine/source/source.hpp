#pragma once
/// Where the numbers of a tensor come from.

#include <cstdint>
#include <span>

#include "sunder/core/tensor_view.hpp"

namespace sunder {

/// Entries begin .. end in the order of storage: what the strides of a layout count.
struct EntryRange {
  Index begin = 0;
  Index end = 0;

  Index size() const { return end - begin; }
  bool operator==(const EntryRange&) const = default;
};

/// A piece of the storage: the entry with offset `first` lies at `data`.
struct Window {
  const void* data = nullptr;
  Index first = 0;
};

/// A tensor that is handed out window by window, each of which fits in memory. A pass sees nothing
/// else of the data, so that a file and the share of one process need no loop of their own. How a
/// pass is cut into chunks depends on the layout alone, so that the windows never change a bit.
class Source {
 public:
  virtual ~Source() = default;

  /// Shape, type and strides of the whole tensor; its data only where all of it is in memory.
  virtual const TensorView& layout() const = 0;
  const Shape& shape() const { return layout().shape(); }
  ScalarType type() const { return layout().type(); }
  bool in_memory() const { return layout().data() != nullptr; }

  /// The size of a window, unless a single chunk is larger.
  virtual Index window_entries() const = 0;
  /// Good until the next call. `next` is what will be asked for then, to be read meanwhile; empty
  /// if nothing will be.
  virtual Window window(EntryRange now, EntryRange next) = 0;
  /// The entries at these offsets, which ascend, widened.
  virtual void read_at(std::span<const Index> offsets, std::span<double> out) = 0;
  /// Taken from a file so far; 0 for memory.
  virtual std::int64_t bytes_read() const { return 0; }
};

/// A tensor in memory (or mapped into it): one window, whatever its strides.
class MemorySource final : public Source {
 public:
  explicit MemorySource(const TensorView& tensor) : tensor_(tensor) {}
  const TensorView& layout() const override { return tensor_; }
  Index window_entries() const override { return tensor_.entries(); }
  Window window(EntryRange, EntryRange) override { return {tensor_.data(), 0}; }
  void read_at(std::span<const Index> offsets, std::span<double> out) override;

 private:
  TensorView tensor_;
};

}  // namespace sunder
