#pragma once
/// Datasets in HDF5 files.

#include <filesystem>
#include <string>
#include <vector>

#include "io/hdf5/hdf5_handle.hpp"
#include "sunder/io/tensor_file.hpp"

namespace sunder {

class Hdf5File : public TensorFile {
 public:
  /// `dataset` is a path within the file; empty: the only numeric dataset.
  Hdf5File(const std::filesystem::path& path, const std::string& dataset);

  std::string format() const override { return "HDF5"; }
  Shape shape() const override { return shape_; }
  ScalarType type() const override { return type_; }
  StorageOrder storage_order() const override { return StorageOrder::c; }
  LoadedTensor load() const override;
  LoadedTensor load_slab(int mode, Index begin, Index end) const override;
  bool slices(int /*mode*/) const override { return true; }
  std::unique_ptr<EntryReader> reader() const override;
  void scan(const std::function<Continue(const TensorView& slab)>& visit) const override;

  /// Returns the extents of a chunk; a contiguous dataset is treated as chunks of the size of a
  /// disk block.
  std::vector<Index> chunk() const;
  /// Reads the indices begin .. begin + count of one mode.
  void read_slab(int mode, Index begin, Index count, void* out) const;
  /// Reads the entries at these positions in C order, widened to double.
  void read_points(std::span<const Index> positions, std::span<double> out) const;

 private:
  void open_dataset(const std::string& dataset);
  void describe();
  /// Throws InputError if entries that nobody wrote would be read as numbers.
  void require_written() const;
  [[noreturn]] void fail(const std::string& what) const;

  std::filesystem::path path_;
  std::string dataset_name_;
  std::string name_;  ///< file and dataset, for messages
  Hdf5Handle file_;
  Hdf5Handle dataset_;
  Shape shape_;
  ScalarType type_ = ScalarType::f64;
};

}  // namespace sunder
