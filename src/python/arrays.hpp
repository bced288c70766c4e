#pragma once
/// Conversion of NumPy arrays to views without a copy, and of the library's data to NumPy arrays.

#include <pybind11/numpy.h>

#include <span>
#include <vector>

#include "sunder/core/cp_model.hpp"
#include "sunder/core/sparse_tensor.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder::python {

namespace py = pybind11;

/// Returns a view of the array's own memory, which may have any strides, be read-only or mapped.
/// Throws InputError, with a remedy, for a type or a layout that cannot be used without a copy.
TensorView view_of(const py::array& array);

/// Copies an array of two dimensions.
Matrix matrix_of(const py::array& array);
std::vector<Matrix> matrices_of(const std::vector<py::array>& arrays);
Vector vector_of(const py::array& array);

py::array array_of(const Matrix& matrix);
py::array array_of(const Vector& vector);
/// Returns a read-only array whose memory `owner` keeps alive.
py::array array_of(std::span<const Index> values, const py::handle& owner);
py::array array_of(std::span<const double> values, const py::handle& owner);
py::array array_of(const TensorView& view, const py::handle& owner);

py::tuple tuple_of(const Shape& shape);
Shape shape_of(const std::vector<Index>& extents);

}  // namespace sunder::python
