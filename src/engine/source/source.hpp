#pragma once
/// The source of a tensor's entries.

#include <cstdint>
#include <span>

#include "sunder/core/tensor_view.hpp"

namespace sunder {

/// The entries begin .. end in storage order; strides of a layout count in the same units.
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

/// Provides a tensor window by window, where each window fits in memory. A pass accesses its data
/// only through a source, so files and the shares of several processes need no loops of their own.
/// How a pass is cut into chunks depends on the layout alone, so the windows never change a bit.
class Source {
 public:
  virtual ~Source() = default;

  /// Returns shape, type and strides of the whole tensor, and its data only if all of it is in
  /// memory.
  virtual const TensorView& layout() const = 0;
  const Shape& shape() const { return layout().shape(); }
  ScalarType type() const { return layout().type(); }
  bool in_memory() const { return layout().data() != nullptr; }

  /// Returns the size of a window; a larger chunk makes the window larger.
  virtual Index window_entries() const = 0;
  /// Returns the window of the range `current`, valid until the next call. `next` is the range that
  /// will be requested next, to be read ahead; empty if there is none.
  virtual Window window(EntryRange current, EntryRange next) = 0;
  /// Reads the entries at these ascending offsets, widened to double.
  virtual void read_at(std::span<const Index> offsets, std::span<double> out) = 0;
  /// Returns the number of bytes read from a file so far; 0 for memory.
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
