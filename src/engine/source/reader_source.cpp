#include "engine/source/reader_source.hpp"

#include <cassert>

namespace sunder {

ReaderSource::ReaderSource(std::shared_ptr<EntryReader> reader, const TensorView& layout,
                           Index window_entries)
    : reader_(std::move(reader)), layout_(layout), window_entries_(window_entries) {
  assert(layout.data() == nullptr && layout.entries() == reader_->layout().entries());
}

void ReaderSource::fill(Buffer& buffer, EntryRange range) {
  buffer.range = {};
  if (buffer.capacity < range.size()) {
    // Free the old buffer first: both at once would need half as much memory again.
    buffer.data.reset();
    const auto bytes = static_cast<std::size_t>(range.size()) * size_of(layout_.type());
    buffer.data = std::make_unique_for_overwrite<std::byte[]>(bytes);
    buffer.capacity = range.size();
  }
  reader_->read(range.begin, range.size(), buffer.data.get());
  buffer.range = range;
}

void ReaderSource::settle(bool wanted) {
  if (!ahead_.valid()) return;
  if (wanted) {
    ahead_.get();
  } else {
    ahead_.wait();
    ahead_ = {};
  }
}

Window ReaderSource::window(EntryRange current, EntryRange next) {
  settle(true);
  if (!(front_.range == current)) {
    if (back_.range == current) {
      std::swap(front_, back_);
    } else {
      fill(front_, current);
    }
  }
  if (next.size() > 0 && !(back_.range == next)) {
    ahead_ = std::async(std::launch::async, [this, next] { fill(back_, next); });
  }
  return {front_.data.get(), current.begin};
}

void ReaderSource::read_at(std::span<const Index> offsets, std::span<double> out) {
  settle(false);
  reader_->read_at(offsets, out);
}

}  // namespace sunder
