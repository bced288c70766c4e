#pragma once
/// Work without the GIL that still hears Ctrl-C and talks to a Python function.

#include <pybind11/pybind11.h>

#include <chrono>
#include <exception>
#include <optional>

#include "sunder/core/error.hpp"
#include "sunder/core/progress.hpp"

namespace sunder::python {

namespace py = pybind11;

/// The callable gets (stage, fraction or None, pass, residual or None); answering False cancels.
/// With None, only signals are looked after.
class Watch {
 public:
  explicit Watch(py::object callable) : callable_(std::move(callable)) {}

  ProgressCallback callback() {
    return [this](const Progress& progress) { return hear(progress); };
  }

  /// Runs the work without the GIL, then raises what a signal or the callable raised meanwhile.
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
  Continue hear(const Progress& progress);
  Continue ask(const Progress& progress);
  void raise() const {
    if (raised_) std::rethrow_exception(raised_);
  }

  py::object callable_;
  std::exception_ptr raised_;
  bool cancelled_ = false;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace sunder::python
