#pragma once
/// Entries of an HDF5 dataset, in whole chunks of it.

#include <memory>
#include <vector>

#include "io/hdf5/hdf5_file.hpp"
#include "sunder/core/entry_reader.hpp"

namespace sunder {

/// Keeps one block of indices of the first mode, a whole number of chunks deep, so that a chunk
/// that two windows share is read and unpacked once.
class Hdf5Reader final : public EntryReader {
 public:
  explicit Hdf5Reader(std::unique_ptr<Hdf5File> file);

  TensorView layout() const override;
  void read(Index first, Index count, void* out) override;
  void read_at(std::span<const Index> numbers, std::span<double> out) override;
  /// Of the entries as they are in memory, of every chunk that was touched.
  std::int64_t bytes_read() const override { return bytes_read_; }
  std::int64_t memory() const override;

 private:
  Index plane_entries() const;  ///< of one index of the first mode
  Index chunks_touched(std::span<const Index> numbers) const;

  std::unique_ptr<Hdf5File> file_;
  std::vector<Index> chunk_;  ///< extents of a chunk
  Index depth_ = 1;           ///< indices of the first mode in a block
  std::vector<std::byte> block_;
  Index block_begin_ = -1;  ///< first index in the block; -1: none
  std::int64_t bytes_read_ = 0;
};

}  // namespace sunder
