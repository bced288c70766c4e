#pragma once
/// NumPy arrays as views without a copy, and the library's numbers as NumPy arrays.

#include <pybind11/numpy.h>

#include <span>
#include <vector>

#include "sunder/core/cp_model.hpp"
#include "sunder/core/sparse_tensor.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder::python {

namespace py = pybind11;

/// The array's own memory: any strides, read-only or mapped. Throws InputError, with the way out,
/// for a type or a layout that cannot be used without a copy.
TensorView view_of(const py::array& array);

/// Two dimensions of doubles; copied.
Matrix matrix_of(const py::array& array);
std::vector<Matrix> matrices_of(const std::vector<py::array>& arrays);
Vector vector_of(const py::array& array);

py::array array_of(const Matrix& matrix);
py::array array_of(const Vector& vector);
/// Read-only, kept alive by `owner`.
py::array array_of(std::span<const Index> values, const py::handle& owner);
py::array array_of(std::span<const double> values, const py::handle& owner);
py::array array_of(const TensorView& view, const py::handle& owner);

py::tuple tuple_of(const Shape& shape);
Shape shape_of(const std::vector<Index>& extents);

}  // namespace sunder::python
