#include "sunder/algorithms/transform.hpp"

#include <pybind11/stl.h>

#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/progress.hpp"

namespace sunder::python {

namespace {

/// Returns (coefficients, S, residual of each slice, missing entries).
py::tuple transform_slices(const std::vector<py::array>& factors, int mode, const py::array& array,
                           double noise_width, int threads, const py::object& progress) {
  const std::vector<Matrix> matrices = matrices_of(factors);
  const TensorView slices = view_of(array);
  Watch watch(progress);
  const TransformOptions options{noise_width, threads, watch.callback()};
  Transformed found = watch.run([&] { return transform(matrices, mode, slices, options); });
  return py::make_tuple(array_of(found.coefficients), std::move(found.sparse),
                        array_of(found.residual), found.missing_count);
}

}  // namespace

void bind_transform(py::module_& module) {
  module.def("transform", &transform_slices, py::arg("factors"), py::arg("mode"), py::arg("slices"),
             py::arg("noise_width"), py::arg("threads"), py::arg("progress"));
}

}  // namespace sunder::python
