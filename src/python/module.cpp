#include <pybind11/pybind11.h>

#include "python/bindings.hpp"
#include "sunder/core/error.hpp"

namespace sunder::python {

namespace {

namespace py = pybind11;

/// Registers the classes of sunder/core/error.hpp, each derived from the matching Python class as
/// well. pybind11 tries the translator that was registered last first.
void bind_errors(py::module_& module) {
  const auto both = [](const py::handle& a, PyObject* b) {
    return py::make_tuple(a, py::handle(b));
  };
  const auto& error = py::register_exception<Error>(module, "Error", PyExc_Exception);
  py::register_exception<OptionError>(module, "OptionError", both(error, PyExc_ValueError));
  py::register_exception<InputError>(module, "InputError", both(error, PyExc_ValueError));
  py::register_exception<OutputError>(module, "OutputError", both(error, PyExc_OSError));
  py::register_exception<WriteError>(module, "WriteError", both(error, PyExc_OSError));
  py::register_exception<Cancelled>(module, "Cancelled", error);
}

}  // namespace

}  // namespace sunder::python

PYBIND11_MODULE(_sunder, module) {
  module.doc() = "The C++ library behind the package sunder; use that.";
  module.attr("version") = SUNDER_VERSION;
  sunder::python::bind_errors(module);
  sunder::python::bind_results(module);
  sunder::python::bind_decompose(module);
  sunder::python::bind_transform(module);
  sunder::python::bind_data(module);
  sunder::python::bind_compare(module);
  sunder::python::bind_theory(module);
  sunder::python::bind_video(module);
}
