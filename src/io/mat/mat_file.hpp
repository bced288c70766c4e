#pragma once
/// Variables in MATLAB files, versions 5 and 7.3.

#include <matio.h>

#include <filesystem>
#include <memory>
#include <string>

#include "sunder/io/tensor_file.hpp"

namespace sunder {

class MatFile : public TensorFile {
 public:
  /// An empty `variable` stands for the only numeric array.
  MatFile(const std::filesystem::path& path, const std::string& variable);

  std::string format() const override;
  Shape shape() const override { return shape_; }
  ScalarType type() const override { return type_; }
  StorageOrder storage_order() const override { return StorageOrder::fortran; }
  LoadedTensor load() const override;
  LoadedTensor load_slab(int mode, Index begin, Index end) const override;
  bool slices(int mode) const override { return mode == shape_.order() - 1; }
  bool boolean() const override { return variable_->isLogical != 0; }
  void scan(const std::function<Continue(const TensorView& slab)>& visit) const override;

 private:
  struct Close {
    void operator()(mat_t* file) const { Mat_Close(file); }
    void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
  };

  void open_variable(const std::string& variable);
  void describe(Index file_bytes);
  /// Reads the indices begin .. begin + count of the last mode, which are contiguous.
  void read_slab(Index begin, Index count, void* out) const;
  bool read_hyperslab(Index begin, Index count, void* out) const;
  bool read_linear(Index begin, Index count, void* out) const;
  [[noreturn]] void fail(const std::string& what) const;

  std::string name_;  ///< file and variable, for messages
  std::unique_ptr<mat_t, Close> file_;
  std::unique_ptr<matvar_t, Close> variable_;
  Shape shape_;
  ScalarType type_ = ScalarType::f64;
};

}  // namespace sunder
