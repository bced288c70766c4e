#include "python/progress.hpp"

#include <string>

namespace sunder::python {

namespace {

// Often enough for a waiting person, seldom enough that the GIL costs nothing.
constexpr std::chrono::milliseconds poll_interval{40};

py::object number_or_none(double value) {
  return value < 0 ? py::object(py::none()) : py::object(py::float_(value));
}

}  // namespace

Continue Watch::report_to_python(const Progress& progress) {
  if (cancelled_) return Continue::cancel;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < poll_interval) return Continue::yes;
  last_ = now;
  const py::gil_scoped_acquire acquire;
  try {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    cancelled_ = call_python(progress) == Continue::cancel;
  } catch (const py::error_already_set&) {
    raised_ = std::current_exception();
    cancelled_ = true;
  }
  return cancelled_ ? Continue::cancel : Continue::yes;
}

Continue Watch::call_python(const Progress& progress) {
  if (callable_.is_none()) return Continue::yes;
  const py::object answer =
      callable_(std::string(progress.stage), number_or_none(progress.fraction), progress.pass,
                number_or_none(progress.residual));
  return answer.is(py::bool_(false)) ? Continue::cancel : Continue::yes;
}

}  // namespace sunder::python
