#include "sunder/io/npy.hpp"

#include <fmt/format.h>

#include <cassert>
#include <string>
#include <vector>

#include "core/files/output_file.hpp"
#include "io/npy/npy_file.hpp"
#include "io/npy/npy_header.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace {

void write_header(OutputFile& file, std::string_view dtype, StorageOrder order,
                  const Shape& shape) {
  file.write_values(std::span<const char>(format_npy_header(dtype, order, shape)));
}

bool contiguous(const TensorView& tensor, StorageOrder order) {
  const ModeIndices strides = contiguous_strides(tensor.shape(), order);
  for (int mode = 0; mode < tensor.order(); ++mode) {
    const bool matters = tensor.shape()[mode] > 1;
    if (matters && tensor.stride(mode) != strides[mode]) return false;
  }
  return true;
}

/// Writes entries in C order through a buffer, whatever the strides.
template <class T>
void write_gathered(OutputFile& file, const TensorView& tensor) {
  constexpr std::size_t buffer_entries = 1 << 16;
  std::vector<T> buffer;
  buffer.reserve(buffer_entries);
  const int last = tensor.order() - 1;
  ModeIndices index{};
  const T* row = tensor.typed<T>();
  for (Index rows = tensor.entries() / tensor.shape()[last]; rows > 0; --rows) {
    for (Index i = 0; i < tensor.shape()[last]; ++i) {
      buffer.push_back(row[i * tensor.stride(last)]);
      if (buffer.size() < buffer_entries) continue;
      file.write_values(std::span<const T>(buffer));
      buffer.clear();
    }
    if (rows == 1) break;
    for (int mode = last - 1; mode >= 0; --mode) {
      row += tensor.stride(mode);
      if (++index[mode] < tensor.shape()[mode]) break;
      row -= tensor.stride(mode) * tensor.shape()[mode];
      index[mode] = 0;
    }
  }
  file.write_values(std::span<const T>(buffer));
}

template <class Result>
void copy_entries(const TensorView& view, Result& result) {
  const Index column_stride = view.order() > 1 ? view.stride(1) : 0;
  with_scalar_type(view.type(), [&]<class T>() {
    for (Index j = 0; j < result.cols(); ++j) {
      for (Index i = 0; i < result.rows(); ++i) {
        result(i, j) = static_cast<double>(view.typed<T>()[i * view.stride(0) + j * column_stride]);
      }
    }
  });
}

LoadedTensor load_of_order(const std::filesystem::path& path, int order, std::string_view what) {
  const NpyFile file(path);
  if (file.shape().order() != order) {
    throw InputError(fmt::format("cannot read {}: expected a {}, but its shape is {}",
                                 path.string(), what, to_string(file.shape())));
  }
  return file.load();
}

}  // namespace

void write_npy(const std::filesystem::path& path, const TensorView& tensor) {
  OutputFile file(path);
  const bool c = contiguous(tensor, StorageOrder::c);
  const bool fortran = !c && contiguous(tensor, StorageOrder::fortran);
  write_header(file, dtype_of(tensor.type()), fortran ? StorageOrder::fortran : StorageOrder::c,
               tensor.shape());
  if (tensor.entries() > 0) {
    with_scalar_type(tensor.type(), [&]<class T>() {
      const auto entries = static_cast<std::size_t>(tensor.entries());
      if (c || fortran) {
        file.write_values(std::span<const T>(tensor.typed<T>(), entries));
      } else {
        write_gathered<T>(file, tensor);
      }
    });
  }
  file.commit();
}

void write_npy(const std::filesystem::path& path, const Matrix& matrix) {
  write_npy(path,
            TensorView::of(matrix.data(), {matrix.rows(), matrix.cols()}, StorageOrder::fortran));
}

void write_npy(const std::filesystem::path& path, const Vector& vector) {
  write_npy(path, TensorView::of(vector.data(), {vector.size()}));
}

void write_npy(const std::filesystem::path& path, std::span<const Index> entries, Index columns) {
  assert(columns > 0 && std::ssize(entries) % columns == 0);
  OutputFile file(path);
  write_header(file, "<i8", StorageOrder::c, {std::ssize(entries) / columns, columns});
  file.write_values(entries);
  file.commit();
}

NpyWriter::NpyWriter(const std::filesystem::path& path, ScalarType type, const Shape& shape)
    : file_(std::make_unique<OutputFile>(path)), missing_(shape.entries()) {
  write_header(*file_, dtype_of(type), StorageOrder::c, shape);
}

NpyWriter::~NpyWriter() = default;

void NpyWriter::add(const TensorView& part) {
  assert(part.entries() <= missing_ && contiguous(part, StorageOrder::c));
  file_->write({static_cast<const std::byte*>(part.data()),
                static_cast<std::size_t>(part.entries()) * size_of(part.type())});
  missing_ -= part.entries();
}

void NpyWriter::finish() {
  assert(missing_ == 0);
  file_->commit();
}

Matrix read_npy_matrix(const std::filesystem::path& path) {
  const LoadedTensor loaded = load_of_order(path, 2, "matrix");
  Matrix matrix(loaded.view.shape()[0], loaded.view.shape()[1]);
  copy_entries(loaded.view, matrix);
  return matrix;
}

Vector read_npy_vector(const std::filesystem::path& path) {
  const LoadedTensor loaded = load_of_order(path, 1, "vector");
  Vector vector(loaded.view.shape()[0]);
  copy_entries(loaded.view, vector);
  return vector;
}

}  // namespace sunder
