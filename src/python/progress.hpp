#pragma once
/// Running work without the GIL while Ctrl-C and a Python progress function still take effect.

#include <pybind11/pybind11.h>

#include <chrono>
#include <exception>
#include <optional>

#include "sunder/core/error.hpp"
#include "sunder/core/progress.hpp"

namespace sunder::python {

namespace py = pybind11;

/// The callable receives (stage, fraction or None, pass, residual or None); returning False
/// cancels. With None, only signals are checked.
class Watch {
 public:
  explicit Watch(py::object callable) : callable_(std::move(callable)) {}

  ProgressCallback callback() {
    return [this](const Progress& progress) { return report_to_python(progress); };
  }

  /// Runs the work without the GIL, then raises what a signal or the callable raised in the
  /// meantime.
  template <class Work>
  auto run(Work&& work) {
    std::optional<decltype(work())> result;
    try {
      const py::gil_scoped_release release;
      result.emplace(work());
    } catch (const Cancelled&) {
      raise();
      throw;
    }
    raise();
    return std::move(*result);
  }

 private:
  Continue report_to_python(const Progress& progress);
  Continue call_python(const Progress& progress);
  void raise() const {
    if (raised_) std::rethrow_exception(raised_);
  }

  py::object callable_;
  std::exception_ptr raised_;
  bool cancelled_ = false;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace sunder::python
