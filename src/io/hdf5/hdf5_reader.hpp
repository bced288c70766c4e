#pragma once
/// Reads the entries of an HDF5 dataset in whole chunks.

#include <memory>
#include <vector>

#include "io/hdf5/hdf5_file.hpp"
#include "sunder/core/entry_reader.hpp"

namespace sunder {

/// Keeps one block of indices of the first mode, a whole number of chunks deep, so that a chunk
/// that two windows share is read and decompressed once.
class Hdf5Reader final : public EntryReader {
 public:
  explicit Hdf5Reader(std::unique_ptr<Hdf5File> file);

  TensorView layout() const override;
  void read(Index first, Index count, void* out) override;
  void read_at(std::span<const Index> numbers, std::span<double> out) override;
  /// Counts the decompressed bytes of every chunk that was read.
  std::int64_t bytes_read() const override { return bytes_read_; }
  std::int64_t memory() const override;

 private:
  Index plane_entries() const;  ///< per index of the first mode
  Index chunks_touched(std::span<const Index> numbers) const;

  std::unique_ptr<Hdf5File> file_;
  std::vector<Index> chunk_;  ///< extents of a chunk
  Index depth_ = 1;           ///< indices of the first mode in a block
  std::vector<std::byte> block_;
  Index block_begin_ = -1;  ///< first index of the block; -1: no block
  std::int64_t bytes_read_ = 0;
};

}  // namespace sunder
