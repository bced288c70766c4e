#include <pybind11/stl.h>

#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/progress.hpp"
#include "sunder/algorithms/method.hpp"
#include "sunder/study/comparison.hpp"

namespace sunder::python {

namespace {

using namespace py::literals;

py::dict dict_of(const ComparisonRow& row) {
  const bool judged = row.error.has_value();
  const auto where_judged = [&](double value) {
    return judged ? py::object(py::float_(value)) : py::object(py::none());
  };
  return py::dict("method"_a = row.method, "status"_a = status_of(row), "message"_a = row.message,
                  "certified"_a = to_string(row.certified), "error"_a = row.error,
                  "held_out"_a = row.held_out, "precision"_a = where_judged(row.precision),
                  "recall"_a = where_judged(row.recall), "components"_a = row.components,
                  "sparse_fraction"_a = row.sparse_fraction, "passes"_a = row.passes,
                  "entries_sampled"_a = row.entries_sampled, "seconds"_a = row.seconds);
}

py::dict compare(const py::array& array, const std::string& rank,
                 const std::vector<std::string>& methods, std::uint64_t seed, int threads,
                 double time_limit, int pass_limit, double held_out, const CpModel* true_low_rank,
                 const SparseTensor* true_sparse, const py::object& progress) {
  const TensorView tensor = view_of(array);
  require_decomposable(tensor.shape());
  Watch watch(progress);
  const ComparisonOptions options{methods,       parse_rank(rank), seed,     threads,
                                  time_limit,    pass_limit,       held_out, watch.callback(),
                                  true_low_rank, true_sparse};
  const Comparison found = watch.run([&] { return compare_methods(tensor, options); });
  py::list rows;
  for (const ComparisonRow& row : found.rows) rows.append(dict_of(row));
  return py::dict("rows"_a = rows, "advice"_a = found.advice,
                  "corruption"_a = to_string(found.pattern.kind),
                  "unevenness"_a = found.pattern.unevenness, "overlap"_a = found.pattern.overlap);
}

}  // namespace

void bind_compare(py::module_& module) {
  module.def("compare", &compare, py::arg("tensor"), py::arg("rank"), py::arg("methods"),
             py::arg("seed"), py::arg("threads"), py::arg("time_limit"), py::arg("pass_limit"),
             py::arg("held_out"), py::arg("true_low_rank"), py::arg("true_sparse"),
             py::arg("progress"));
}

}  // namespace sunder::python
