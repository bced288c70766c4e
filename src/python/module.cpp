#include <pybind11/pybind11.h>

#include <algorithm>
#include <string>

#include "python/bindings.hpp"
#include "sunder/core/error.hpp"
#include "sunder/core/option_name.hpp"

namespace sunder::python {

namespace {

namespace py = pybind11;

/// The Python classes of the errors of sunder/core/error.hpp, each derived from the matching Python
/// class as well.
struct ErrorTypes {
  py::object error, option, input, output, write, cancelled;
};

ErrorTypes& error_types() {
  static auto* const types =
      new ErrorTypes;  // lives as long as the module, which is never unloaded
  return *types;
}

py::object add_error(py::module_& module, const char* name, const py::object& bases) {
  const std::string full = module.attr("__name__").cast<std::string>() + "." + name;
  auto type =
      py::reinterpret_steal<py::object>(PyErr_NewException(full.c_str(), bases.ptr(), nullptr));
  module.attr(name) = type;
  return type;
}

void raise(const py::object& type, const Error& error) {
  PyErr_SetString(type.ptr(), with_keywords(error.what()).c_str());
}

void translate(std::exception_ptr problem) {
  const ErrorTypes& types = error_types();
  try {
    if (problem) std::rethrow_exception(problem);
  } catch (const OptionError& error) {
    raise(types.option, error);
  } catch (const InputError& error) {
    raise(types.input, error);
  } catch (const OutputError& error) {
    raise(types.output, error);
  } catch (const WriteError& error) {
    raise(types.write, error);
  } catch (const Cancelled& error) {
    raise(types.cancelled, error);
  } catch (const Error& error) {
    raise(types.error, error);
  }
}

void bind_errors(py::module_& module) {
  ErrorTypes& types = error_types();
  const auto also = [&](PyObject* other) { return py::make_tuple(types.error, py::handle(other)); };
  types.error = add_error(module, "Error", py::handle(PyExc_Exception).cast<py::object>());
  types.option = add_error(module, "OptionError", also(PyExc_ValueError));
  types.input = add_error(module, "InputError", also(PyExc_ValueError));
  types.output = add_error(module, "OutputError", also(PyExc_OSError));
  types.write = add_error(module, "WriteError", also(PyExc_OSError));
  types.cancelled = add_error(module, "Cancelled", types.error);
  py::register_exception_translator(&translate);
}

}  // namespace

std::string with_keywords(const std::string& message) {
  return spell_options(message, [](std::string_view option) {
    std::string name(option);
    std::replace(name.begin(), name.end(), '-', '_');
    return name == "lambda" ? "lambda_" : name;  // Python keeps lambda for itself
  });
}

}  // namespace sunder::python

PYBIND11_MODULE(_sunder, module) {
  module.doc() = "The C++ library behind the package sunder; use that.";
  module.attr("version") = SUNDER_VERSION;
  sunder::python::bind_errors(module);
  sunder::python::bind_results(module);
  sunder::python::bind_decompose(module);
  sunder::python::bind_complete(module);
  sunder::python::bind_ranks(module);
  sunder::python::bind_transform(module);
  sunder::python::bind_data(module);
  sunder::python::bind_compare(module);
  sunder::python::bind_theory(module);
  if constexpr (SUNDER_WITH_VIDEO != 0) {
    sunder::python::bind_video(module);
    sunder::python::bind_video_job(module);
  }
}
