#pragma once
/// Datasets in HDF5 files.

#include <filesystem>
#include <string>

#include "io/hdf5_handle.hpp"
#include "sunder/io/tensor_file.hpp"

namespace sunder {

class Hdf5File : public TensorFile {
 public:
  /// `dataset` is a path within the file; empty: the only numeric dataset there is.
  Hdf5File(const std::filesystem::path& path, const std::string& dataset);

  std::string format() const override { return "HDF5"; }
  Shape shape() const override { return shape_; }
  ScalarType type() const override { return type_; }
  StorageOrder storage_order() const override { return StorageOrder::c; }
  LoadedTensor load() const override;
  LoadedTensor load_slab(int mode, Index begin, Index end) const override;
  bool slices(int /*mode*/) const override { return true; }
  void scan(const std::function<Continue(const TensorView& slab)>& visit) const override;

 private:
  void open_dataset(const std::string& dataset);
  void describe();
  void read_slab(int mode, Index begin, Index count, void* out) const;
  [[noreturn]] void fail(const std::string& what) const;

  std::string name_;  ///< for messages: file and dataset
  Hdf5Handle file_;
  Hdf5Handle dataset_;
  Shape shape_;
  ScalarType type_ = ScalarType::f64;
};

}  // namespace sunder
