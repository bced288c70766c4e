#pragma once
/// NumPy's .npy files (format versions 1 to 3).

#include <filesystem>
#include <memory>
#include <span>

#include "sunder/core/cp_model.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder {

/// Writes a temporary file beside `path`, then renames it. A view that is contiguous in Fortran
/// order is written so, anything else in C order.
void write_npy(const std::filesystem::path& path, const TensorView& tensor);
void write_npy(const std::filesystem::path& path, const Matrix& matrix);
void write_npy(const std::filesystem::path& path, const Vector& vector);
/// rows x columns, row by row.
void write_npy(const std::filesystem::path& path, std::span<const Index> entries, Index columns);

class OutputFile;

/// A file that is written part by part, in C order, because the tensor need not fit in memory.
class NpyWriter {
 public:
  NpyWriter(const std::filesystem::path& path, ScalarType type, const Shape& shape);
  ~NpyWriter();
  NpyWriter(const NpyWriter&) = delete;
  NpyWriter& operator=(const NpyWriter&) = delete;

  /// The entries that follow: contiguous, of the file's type.
  void add(const TensorView& part);
  /// Until then there is no file. All entries must have come.
  void finish();

 private:
  std::unique_ptr<OutputFile> file_;
  Index missing_;
};

Matrix read_npy_matrix(const std::filesystem::path& path);
Vector read_npy_vector(const std::filesystem::path& path);

}  // namespace sunder
