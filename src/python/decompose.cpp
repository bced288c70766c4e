#include <fmt/format.h>

#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/progress.hpp"
#include "python/run_description.hpp"
#include "sunder/algorithms/method.hpp"
#include "sunder/io/staged_folder.hpp"

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

std::unique_ptr<Method> configured(const std::string& name,
                                   const std::map<std::string, std::string>& options) {
  std::unique_ptr<Method> method = make_method(name);
  for (const auto& [option, value] : options) method->set(option, value);
  return method;
}

RunDescription describe(const Method& method, const TensorView& tensor,
                        const std::vector<int>& group, std::uint64_t seed) {
  RunDescription run;
  run.input = "an array in memory";
  run.dtype = to_string(tensor.type());
  run.method = method.name();
  run.seed = seed;
  run.group = group;
  for (const MethodOption& option : method.options()) {
    run.options.emplace(option.name, option.value);
  }
  return run;
}

TensorView grouped(const TensorView& tensor, const std::vector<int>& group) {
  return group.empty() ? tensor : tensor.grouped(group);
}

/// (Decomposition, description of the run).
py::tuple decompose(const py::array& array, const std::string& rank, const std::string& name,
                    const std::map<std::string, std::string>& options, std::uint64_t seed,
                    int threads, const std::vector<int>& group, const CpModel* truth,
                    bool collect_sparse, const py::object& progress) {
  const std::unique_ptr<Method> method = configured(name, options);
  RunOptions run;
  run.rank = parse_rank(rank);
  run.seed = seed;
  run.threads = threads;
  run.collect_sparse = collect_sparse;
  run.true_low_rank = truth;
  if (threads < 0) {
    throw OptionError(fmt::format("--threads must be 0 or more, but is {}", threads));
  }
  const TensorView tensor = grouped(view_of(array), group);
  require_decomposable(tensor.shape());
  if (truth != nullptr && !(truth->shape() == tensor.shape())) {
    throw InputError(fmt::format("the truth has shape {}, but the tensor has shape {}",
                                 to_string(truth->shape()), to_string(tensor.shape())));
  }
  Watch watch(progress);
  run.progress = watch.callback();
  Decomposition result = watch.run([&] { return method->decompose(tensor, run); });
  return py::make_tuple(std::move(result), dict_of(describe(*method, tensor, group, seed)));
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
  module.def("decompose", &decompose, py::arg("tensor"), py::arg("rank"), py::arg("method"),
             py::arg("options"), py::arg("seed"), py::arg("threads"), py::arg("group"),
             py::arg("truth"), py::arg("collect_sparse"), py::arg("progress"));
  module.def("render_report", &report_of, py::arg("result"), py::arg("run"), py::arg("tensor"));
  module.def("render_summary", [](const Decomposition& result, const py::dict& run) {
    return render_summary(description_of(run), result);
  });
  module.def("write_text",
             [](const std::string& path, const std::string& text) { write_text(path, text); });
}

}  // namespace sunder::python
