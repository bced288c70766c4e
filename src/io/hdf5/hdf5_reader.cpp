#include "io/hdf5/hdf5_reader.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_set>

namespace sunder {

namespace {

// Deep enough to amortise the call of a read; not deeper than a chunk if chunks are large.
constexpr Index usual_block_bytes = Index{16} << 20;
constexpr Index most_block_bytes = Index{256} << 20;

}  // namespace

Hdf5Reader::Hdf5Reader(std::unique_ptr<Hdf5File> file)
    : file_(std::move(file)), chunk_(file_->chunk()) {
  const Index plane =
      std::max<Index>(1, plane_entries() * static_cast<Index>(size_of(file_->type())));
  const Index wanted = std::max<Index>(1, usual_block_bytes / plane);
  depth_ = (wanted + chunk_[0] - 1) / chunk_[0] * chunk_[0];
  if (depth_ * plane > most_block_bytes) depth_ = std::max<Index>(1, most_block_bytes / plane);
  depth_ = std::min(depth_, file_->shape()[0]);
}

TensorView Hdf5Reader::layout() const { return {nullptr, file_->type(), file_->shape()}; }

Index Hdf5Reader::plane_entries() const {
  return file_->shape().entries() / std::max<Index>(1, file_->shape()[0]);
}

std::int64_t Hdf5Reader::memory() const {
  return depth_ * plane_entries() * static_cast<Index>(size_of(file_->type()));
}

void Hdf5Reader::read(Index first, Index count, void* out) {
  const auto entry_bytes = static_cast<Index>(size_of(file_->type()));
  const Index plane = plane_entries();
  auto* to = static_cast<std::byte*>(out);
  while (count > 0) {
    const Index begin = first / plane / depth_ * depth_;
    const Index planes = std::min(depth_, file_->shape()[0] - begin);
    if (begin != block_begin_) {
      block_begin_ = -1;
      block_.resize(depth_ * plane * entry_bytes);
      file_->read_slab(0, begin, planes, block_.data());
      block_begin_ = begin;
      bytes_read_ += planes * plane * entry_bytes;
    }
    const Index from = first - begin * plane;
    const Index here = std::min(count, planes * plane - from);
    std::memcpy(to, block_.data() + from * entry_bytes,
                static_cast<std::size_t>(here * entry_bytes));
    to += here * entry_bytes;
    first += here;
    count -= here;
  }
}

Index Hdf5Reader::chunks_touched(std::span<const Index> numbers) const {
  const Shape shape = file_->shape();
  std::unordered_set<Index> chunks;
  for (const Index number : numbers) {
    const ModeIndices index = shape.unravel(number);
    Index chunk = 0;
    for (int mode = 0; mode < shape.order(); ++mode) {
      const auto m = static_cast<std::size_t>(mode);
      chunk = chunk * ((shape[mode] + chunk_[m] - 1) / chunk_[m]) + index[m] / chunk_[m];
    }
    chunks.insert(chunk);
  }
  return std::ssize(chunks);
}

void Hdf5Reader::read_at(std::span<const Index> numbers, std::span<double> out) {
  constexpr std::size_t batch = std::size_t{1} << 16;
  Index chunk_entries = 1;
  for (const Index extent : chunk_) chunk_entries *= extent;
  for (std::size_t begin = 0; begin < numbers.size(); begin += batch) {
    const std::size_t count = std::min(batch, numbers.size() - begin);
    file_->read_points(numbers.subspan(begin, count), out.subspan(begin, count));
    bytes_read_ += chunks_touched(numbers.subspan(begin, count)) * chunk_entries *
                   static_cast<Index>(size_of(file_->type()));
  }
}

}  // namespace sunder
