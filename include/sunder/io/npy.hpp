#pragma once
/// NumPy's .npy files (format versions 1 to 3).

#include <filesystem>
#include <memory>
#include <span>

#include "sunder/core/cp_model.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder {

/// Writes a temporary file beside `path`, then renames it. A view that is contiguous in Fortran
/// order keeps that order; any other view is written in C order.
void write_npy(const std::filesystem::path& path, const TensorView& tensor);
void write_npy(const std::filesystem::path& path, const Matrix& matrix);
void write_npy(const std::filesystem::path& path, const Vector& vector);
/// Writes a matrix of so many columns, row by row.
void write_npy(const std::filesystem::path& path, std::span<const Index> entries, Index columns);

class OutputFile;

/// Writes a file part by part, in C order, so that the tensor need not fit in memory.
class NpyWriter {
 public:
  NpyWriter(const std::filesystem::path& path, ScalarType type, const Shape& shape);
  ~NpyWriter();
  NpyWriter(const NpyWriter&) = delete;
  NpyWriter& operator=(const NpyWriter&) = delete;

  /// Writes the next entries, which must be contiguous and of the file's type.
  void add(const TensorView& part);
  /// Completes the file, which does not exist before. All entries must have been added.
  void finish();

 private:
  std::unique_ptr<OutputFile> file_;
  Index missing_;
};

Matrix read_npy_matrix(const std::filesystem::path& path);
Vector read_npy_vector(const std::filesystem::path& path);

}  // namespace sunder
