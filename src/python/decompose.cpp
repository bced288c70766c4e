#include <fmt/format.h>

#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/progress.hpp"
#include "python/run_description.hpp"
#include "report/report.hpp"
#include "sunder/algorithms/method.hpp"
#include "sunder/io/staged_folder.hpp"
#include "sunder/job/decompose_job.hpp"

namespace sunder::python {

namespace {

py::list options_of(const std::string& name) {
  using py::literals::operator""_a;
  py::list list;
  for (const MethodOption& option : make_method(name)->options()) {
    list.append(py::dict("name"_a = option.name, "default"_a = option.value,
                         "meaning"_a = option.meaning, "is_switch"_a = option.is_switch));
  }
  return list;
}

TensorView grouped(const TensorView& tensor, const std::vector<int>& group) {
  return group.empty() ? tensor : tensor.grouped(group);
}

/// Every field of DecomposeJob that Python has, under its own name.
DecomposeJob job_of(const py::dict& given) {
  DecomposeJob job;
  job.input = given["input"].cast<std::string>();
  job.method = given["method"].cast<std::string>();
  job.options = given["options"].cast<std::map<std::string, std::string>>();
  job.rank = parse_rank(given["rank"].cast<std::string>());
  job.seed = given["seed"].cast<std::uint64_t>();
  job.threads = given["threads"].cast<int>();
  job.max_seconds = given["max_seconds"].cast<double>();
  job.group = given["group"].cast<std::vector<int>>();
  const auto memory = given["memory"].cast<std::string>();
  if (!memory.empty()) job.memory = parse_bytes("memory", memory);
  job.checkpoint = given["checkpoint"].cast<std::string>();
  job.resume = given["resume"].cast<std::string>();
  job.checkpoint_interval = given["checkpoint_interval"].cast<double>();
  job.output = given["output"].cast<std::string>();
  job.force = given["force"].cast<bool>();
  job.keep_sparse = given["keep_sparse"].cast<bool>();
  return job;
}

/// (Decomposition, description of the run, folder). Without an array, the job names a file.
py::tuple decompose(const std::optional<py::array>& array, const py::dict& given,
                    const CpModel* truth, const py::object& progress) {
  DecomposeJob job = job_of(given);
  if (array) job.tensor = view_of(*array);
  job.true_low_rank = truth;
  std::vector<std::string> warnings;
  job.on_warning = [&](const std::string& warning) { warnings.push_back(warning); };
  Watch watch(progress);
  job.progress = watch.callback();
  JobResult done = watch.run([&] { return run(job); });
  for (const std::string& warning : warnings) {
    if (PyErr_WarnEx(PyExc_RuntimeWarning, with_keywords(warning).c_str(), 3) != 0) {
      throw py::error_already_set();
    }
  }
  return py::make_tuple(std::move(done.decomposition), dict_of(done.run), done.folder.string());
}

std::string report_of(const Decomposition& result, const py::dict& run,
                      const std::optional<py::array>& array) {
  const RunDescription description = description_of(run);
  ReportPictures pictures{std::nullopt, result.low_rank.shape(),
                          "The tensor was not kept: report(path, tensor) shows its slices."};
  if (array) {
    const TensorView tensor = grouped(view_of(*array), description.group);
    pictures = {sample_slices(tensor, result.low_rank, result.sparse), tensor.shape(), ""};
  }
  return render_report(description, result, pictures);
}

}  // namespace

void bind_decompose(py::module_& module) {
  module.def("method_names", &method_names);
  module.def("method_summary",
             [](const std::string& name) { return std::string(make_method(name)->summary()); });
  module.def("method_options", &options_of);
  module.def("decompose", &decompose, py::arg("tensor"), py::arg("job"), py::arg("truth"),
             py::arg("progress"));
  module.def("render_report", &report_of, py::arg("result"), py::arg("run"), py::arg("tensor"));
  module.def("render_summary", [](const Decomposition& result, const py::dict& run) {
    return render_summary(description_of(run), result);
  });
  module.def("write_text",
             [](const std::string& path, const std::string& text) { write_text(path, text); });
}

}  // namespace sunder::python
