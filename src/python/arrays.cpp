#include "python/arrays.hpp"

#include <fmt/format.h>

#include "io/npy/npy_header.hpp"
#include "sunder/core/error.hpp"

namespace sunder::python {

namespace {

Shape shape_of(const py::array& array) {
  const std::vector<Index> extents(array.shape(), array.shape() + array.ndim());
  return Shape(extents);
}

py::array read_only(py::array array) {
  array.attr("flags").attr("writeable") = false;
  return array;
}

py::array doubles_of(const py::array& array, int dimensions, const char* expected) {
  auto doubles = py::array_t<double, py::array::f_style | py::array::forcecast>::ensure(array);
  if (!doubles || doubles.ndim() != dimensions) {
    PyErr_Clear();
    throw InputError(fmt::format("expected {} of numbers, but an array of {} dimensions came",
                                 expected, array.ndim()));
  }
  return doubles;
}

}  // namespace

TensorView view_of(const py::array& array) {
  const auto dtype = array.dtype().attr("str").cast<std::string>();
  const ScalarType type = scalar_type_of_dtype(dtype, "the array", "");
  const Shape shape = shape_of(array);
  const auto size = static_cast<Index>(size_of(type));
  ModeIndices strides{};
  const bool aligned = array.attr("flags").attr("aligned").cast<bool>();
  for (int mode = 0; mode < shape.order(); ++mode) {
    const Index bytes = array.strides(mode);
    if (!aligned || bytes % size != 0) {
      throw InputError(
          "cannot use the array without a copy: its entries do not lie at multiples of their size "
          "in memory (a field of a structured array?); copy it with np.ascontiguousarray(array)");
    }
    strides[mode] = bytes / size;
  }
  return {array.data(), type, shape, strides};
}

Matrix matrix_of(const py::array& array) {
  const py::array doubles = doubles_of(array, 2, "a matrix");
  return Eigen::Map<const Matrix>(static_cast<const double*>(doubles.data()), doubles.shape(0),
                                  doubles.shape(1));
}

std::vector<Matrix> matrices_of(const std::vector<py::array>& arrays) {
  std::vector<Matrix> matrices;
  for (const py::array& array : arrays) matrices.push_back(matrix_of(array));
  return matrices;
}

Vector vector_of(const py::array& array) {
  const py::array doubles = doubles_of(array, 1, "a vector");
  return Eigen::Map<const Vector>(static_cast<const double*>(doubles.data()), doubles.shape(0));
}

py::array array_of(const Matrix& matrix) {
  py::array_t<double, py::array::f_style> array({matrix.rows(), matrix.cols()});
  Eigen::Map<Matrix>(array.mutable_data(), matrix.rows(), matrix.cols()) = matrix;
  return array;
}

py::array array_of(const Vector& vector) {
  return py::array_t<double>(static_cast<py::ssize_t>(vector.size()), vector.data());
}

py::array array_of(std::span<const Index> values, const py::handle& owner) {
  return read_only(
      py::array_t<Index>(static_cast<py::ssize_t>(values.size()), values.data(), owner));
}

py::array array_of(std::span<const double> values, const py::handle& owner) {
  return read_only(
      py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data(), owner));
}

py::array array_of(const TensorView& view, const py::handle& owner) {
  std::vector<py::ssize_t> extents(view.shape().begin(), view.shape().end());
  std::vector<py::ssize_t> strides;
  const auto size = static_cast<Index>(size_of(view.type()));
  for (int mode = 0; mode < view.order(); ++mode) strides.push_back(view.stride(mode) * size);
  const py::dtype type =
      with_scalar_type(view.type(), []<class T>() { return py::dtype::of<T>(); });
  return {type, std::move(extents), std::move(strides), view.data(), owner};
}

py::tuple tuple_of(const Shape& shape) {
  py::tuple extents(static_cast<std::size_t>(shape.order()));
  for (int mode = 0; mode < shape.order(); ++mode) {
    extents[mode] = shape[mode];
  }
  return extents;
}

Shape shape_of(const std::vector<Index>& extents) { return Shape(extents); }

}  // namespace sunder::python
