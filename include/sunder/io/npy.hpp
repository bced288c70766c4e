#pragma once
/// NumPy's .npy files (format versions 1 to 3).

#include <filesystem>
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

Matrix read_npy_matrix(const std::filesystem::path& path);
Vector read_npy_vector(const std::filesystem::path& path);

}  // namespace sunder
