#pragma once
/// The parts of the module `_sunder`, each registered by its own function. The module is thin:
/// arrays become views, the GIL is released, and results become arrays. Names, defaults and
/// documentation are in python/sunder.

#include <pybind11/pybind11.h>

#include <string>

namespace sunder::python {

/// A message of the library, in which options are named as `max-iterations`, for Python, which has
/// max_iterations.
std::string with_keywords(const std::string& message);

void bind_results(pybind11::module_& module);
void bind_decompose(pybind11::module_& module);
void bind_complete(pybind11::module_& module);
void bind_ranks(pybind11::module_& module);
void bind_transform(pybind11::module_& module);
void bind_data(pybind11::module_& module);
void bind_compare(pybind11::module_& module);
void bind_theory(pybind11::module_& module);
void bind_video(pybind11::module_& module);
void bind_video_job(pybind11::module_& module);

}  // namespace sunder::python
