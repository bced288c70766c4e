#include "sunder/algorithms/ranks.hpp"

#include <pybind11/stl.h>

#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/progress.hpp"
#include "report/inference_summary.hpp"
#include "sunder/io/tensor_file.hpp"

namespace sunder::python {

namespace {

/// The study as JSON. Without an array, the path names a file.
std::string ranks_of(const py::object& array, const std::string& path, int most,
                     const std::vector<int>& nonnegative, std::uint64_t seed, int threads,
                     const py::object& progress) {
  RunOptions run;
  run.rank = most;
  run.seed = seed;
  run.threads = threads;
  RobustCpOptions options;
  options.nonnegative.assign(nonnegative.begin(), nonnegative.end());
  Watch watch(progress);
  run.progress = watch.callback();
  const LoadedTensor loaded = array.is_none()
                                  ? open_tensor(path)->load()
                                  : LoadedTensor{view_of(array.cast<py::array>()), nullptr};
  return render_ranks(watch.run([&] { return rank_study(loaded.view, run, options); }));
}

}  // namespace

void bind_ranks(py::module_& module) {
  module.def("ranks", &ranks_of, py::arg("tensor"), py::arg("path"), py::arg("most"),
             py::arg("nonnegative"), py::arg("seed"), py::arg("threads"), py::arg("progress"));
}

}  // namespace sunder::python
