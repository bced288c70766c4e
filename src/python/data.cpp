#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/progress.hpp"
#include "python/run_description.hpp"
#include "report/report.hpp"
#include "sunder/data/planted.hpp"
#include "sunder/io/npy.hpp"
#include "sunder/io/result_folder.hpp"
#include "sunder/io/staged_folder.hpp"
#include "sunder/io/tensor_file.hpp"

namespace sunder::python {

namespace {

namespace fs = std::filesystem;

template <class Choice>
Choice choice_of(const py::dict& options, const char* name) {
  const auto text = options[name].cast<std::string>();
  if (const std::optional<Choice> found = from_string<Choice>(text)) return *found;
  std::vector<std::string_view> names;
  for (const auto& [value, known] : names_of<Choice>) names.push_back(known);
  throw OptionError(
      fmt::format("{} must be one of {}, but is '{}'", name, fmt::join(names, ", "), text));
}

/// Reads every field of PlantedOptions under its own name.
PlantedOptions planted_options(const py::dict& given) {
  PlantedOptions options;
  options.shape = shape_of(given["shape"].cast<std::vector<Index>>());
  options.rank = given["rank"].cast<int>();
  options.factors = choice_of<FactorKind>(given, "factors");
  options.weights = choice_of<WeightKind>(given, "weights");
  options.weight_list = given["weight_list"].cast<std::vector<double>>();
  options.support = choice_of<Support>(given, "support");
  options.signs = choice_of<Signs>(given, "signs");
  options.zero_rows = given["zero_rows"].cast<double>();
  options.symmetric = given["symmetric"].cast<bool>();
  options.density = given["density"].cast<double>();
  options.blocks = given["blocks"].cast<int>();
  options.magnitude = given["magnitude"].cast<double>();
  options.noise = given["noise"].cast<double>();
  options.noise_model = choice_of<NoiseKind>(given, "noise_model");
  options.missing = given["missing"].cast<double>();
  options.collinear = given["collinear"].cast<double>();
  options.peaks = given["peaks"].cast<double>();
  options.sparse_factors = given["sparse_factors"].cast<double>();
  options.heavy = given["heavy"].cast<double>();
  options.offset = given["offset"].cast<double>();
  options.dropout = given["dropout"].cast<double>();
  const auto [low, high] = given["saturate"].cast<std::pair<double, double>>();
  options.saturate_low = low;
  options.saturate_high = high;
  options.bad_samples = given["bad_samples"].cast<double>();
  options.bad_kind = choice_of<BadSampleKind>(given, "bad_kind");
  options.rotate = given["rotate"].cast<double>();
  options.change_at = given["change_at"].cast<Index>();
  options.seed = given["seed"].cast<std::uint64_t>();
  const auto type = given["dtype"].cast<std::string>();
  const std::optional<ScalarType> known = parse_scalar_type(type);
  if (!known) throw OptionError(fmt::format("dtype must be f64 or f32, but is '{}'", type));
  options.type = *known;
  return options;
}

/// Returns (T, L, S); the array owns the generated memory.
py::tuple generate(const py::dict& given, const py::object& progress) {
  const PlantedOptions options = planted_options(given);
  Watch watch(progress);
  PlantedTensor made = watch.run([&] { return generate_planted(options, watch.callback()); });
  auto* tensor = new DenseTensor(std::move(made.tensor));
  const py::capsule owner(tensor, [](void* held) { delete static_cast<DenseTensor*>(held); });
  return py::make_tuple(array_of(tensor->view(), owner), std::move(made.low_rank),
                        std::move(made.sparse));
}

/// Returns a read-only array, because its memory may be that of the file.
py::array read_tensor(const std::string& location) {
  auto* loaded = new LoadedTensor;
  const py::capsule owner(loaded, [](void* held) { delete static_cast<LoadedTensor*>(held); });
  {
    const py::gil_scoped_release release;
    *loaded = open_tensor(location)->load();
  }
  py::array array = array_of(loaded->view, owner);
  array.attr("flags").attr("writeable") = false;
  return array;
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) throw InputError(fmt::format("cannot read {}: no such file", path.string()));
  return text;
}

/// Returns (Decomposition, description of the run) from a folder that `decompose -o` or
/// write_result() wrote.
py::tuple read_result(const std::string& folder) {
  LowRankPlusSparse parts = read_low_rank_plus_sparse(folder);
  SummaryContents contents = read_summary(text_of(fs::path(folder) / "summary.json"));
  contents.result.low_rank = std::move(parts.low_rank);
  contents.result.set_sparse(std::move(parts.sparse));
  return py::make_tuple(std::move(contents.result), dict_of(contents.run));
}

void write_result(const std::string& path, const Decomposition& result, const py::dict& run,
                  const std::string& page, bool force) {
  StagedFolder folder(path, result_file_names(), force);
  write_low_rank_plus_sparse(folder.path(), result.low_rank, result.sparse);
  write_text(folder.path() / "report.html", page);
  write_text(folder.path() / "summary.json", render_summary(description_of(run), result));
  folder.publish();
}

}  // namespace

void bind_data(py::module_& module) {
  module.def("generate", &generate, py::arg("options"), py::arg("progress"));
  module.def("read_tensor", &read_tensor, py::arg("location"));
  module.def("read_result", &read_result, py::arg("folder"));
  module.def("read_parts", [](const std::string& folder) {
    LowRankPlusSparse parts = read_low_rank_plus_sparse(folder);
    return py::make_tuple(std::move(parts.low_rank), std::move(parts.sparse));
  });
  module.def("write_tensor", [](const std::string& path, const py::array& array) {
    const TensorView view = view_of(array);
    const py::gil_scoped_release release;
    write_npy(path, view);
  });
  module.def("write_result", &write_result, py::arg("path"), py::arg("result"), py::arg("run"),
             py::arg("page"), py::arg("force"));
}

}  // namespace sunder::python
