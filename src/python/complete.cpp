#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/progress.hpp"
#include "sunder/algorithms/method.hpp"
#include "sunder/job/complete_job.hpp"

namespace sunder::python {

namespace {

/// Returns the array without gaps. Without an array, the job names a file.
py::array complete_array(const py::object& array, const py::dict& given,
                         const py::object& progress) {
  CompleteJob job;
  job.input = given["input"].cast<std::string>();
  if (!array.is_none()) job.tensor = view_of(array.cast<py::array>());
  if (!given["missing"].is_none()) job.missing = given["missing"].cast<double>();
  job.replace_errors = given["replace_errors"].cast<bool>();
  job.rank = parse_rank(given["rank"].cast<std::string>());
  job.smooth = parse_smooth(given["smooth"].cast<std::string>());
  job.seed = given["seed"].cast<std::uint64_t>();
  job.threads = given["threads"].cast<int>();
  Watch watch(progress);
  job.progress = watch.callback();
  auto* filled = new DenseTensor(watch.run([&] { return run(job); }).filled);
  const py::capsule owner(filled, [](void* held) { delete static_cast<DenseTensor*>(held); });
  return array_of(filled->view(), owner);
}

}  // namespace

void bind_complete(py::module_& module) {
  module.def("complete", &complete_array, py::arg("tensor"), py::arg("job"), py::arg("progress"));
}

}  // namespace sunder::python
