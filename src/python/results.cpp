#include <pybind11/stl.h>

#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "report/report.hpp"
#include "sunder/algorithms/decomposition.hpp"

namespace sunder::python {

namespace {

py::dict dict_of(const TraceRecord& record) {
  using py::literals::operator""_a;
  return py::dict("pass"_a = record.pass, "stage"_a = record.stage,
                  "threshold"_a = record.threshold, "kept_residual"_a = record.kept_residual,
                  "sparse_fraction"_a = record.sparse_fraction, "change"_a = record.change,
                  "seconds"_a = record.seconds, "entries_sampled"_a = record.entries_sampled,
                  "flops"_a = record.flops);
}

TraceRecord record_of(const py::dict& fields) {
  TraceRecord record;
  record.pass = fields["pass"].cast<int>();
  record.stage = fields["stage"].cast<std::string>();
  record.threshold = fields["threshold"].cast<double>();
  record.kept_residual = fields["kept_residual"].cast<double>();
  record.sparse_fraction = fields["sparse_fraction"].cast<double>();
  record.change = fields["change"].cast<double>();
  record.seconds = fields["seconds"].cast<double>();
  record.entries_sampled = fields["entries_sampled"].cast<Index>();
  record.flops = fields["flops"].cast<double>();
  return record;
}

py::list trace_of(const Decomposition& result) {
  py::list trace;
  for (const TraceRecord& record : result.trace) trace.append(dict_of(record));
  return trace;
}

py::list factors_of(const CpModel& model) {
  py::list factors;
  for (const Matrix& factor : model.factors()) factors.append(array_of(factor));
  return factors;
}

CpModel make_model(const py::array& weights, const std::vector<py::array>& factors) {
  return {vector_of(weights), matrices_of(factors)};
}

SparseTensor make_sparse(const std::vector<Index>& extents,
                         const py::array_t<Index, py::array::c_style>& positions,
                         const py::array_t<double, py::array::c_style>& values) {
  return {shape_of(extents),
          std::vector<Index>(positions.data(), positions.data() + positions.size()),
          std::vector<double>(values.data(), values.data() + values.size())};
}

void bind_parts(py::module_& module) {
  py::class_<CpModel>(module, "CpModel")
      .def(py::init(&make_model), py::arg("weights"), py::arg("factors"))
      .def_property_readonly("weights", [](const CpModel& m) { return array_of(m.weights()); })
      .def_property_readonly("factors", &factors_of)
      .def_property_readonly("norm", &CpModel::norm)
      .def("distance", &CpModel::distance)
      .def(py::pickle(
          [](const CpModel& m) { return py::make_tuple(array_of(m.weights()), factors_of(m)); },
          [](const py::tuple& state) {
            return make_model(state[0].cast<py::array>(), state[1].cast<std::vector<py::array>>());
          }));
  py::class_<SparseTensor>(module, "SparseTensor")
      .def(py::init(&make_sparse), py::arg("shape"), py::arg("positions"), py::arg("values"))
      .def_property_readonly("shape", [](const SparseTensor& s) { return tuple_of(s.shape()); })
      .def_property_readonly("positions",
                             [](const py::object& self) {
                               return array_of(self.cast<const SparseTensor&>().positions(), self);
                             })
      .def_property_readonly("values",
                             [](const py::object& self) {
                               return array_of(self.cast<const SparseTensor&>().values(), self);
                             })
      .def_property_readonly("norm", &SparseTensor::norm)
      .def(py::pickle(
          [](const py::object& self) {
            const auto& sparse = self.cast<const SparseTensor&>();
            return py::make_tuple(tuple_of(sparse.shape()), array_of(sparse.positions(), self),
                                  array_of(sparse.values(), self));
          },
          [](const py::tuple& state) {
            return make_sparse(state[0].cast<std::vector<Index>>(),
                               state[1].cast<py::array_t<Index, py::array::c_style>>(),
                               state[2].cast<py::array_t<double, py::array::c_style>>());
          }));
}

/// Whether they are known, factors, weights, covariance and remark.
py::tuple errors_of(const Decomposition& d) {
  py::list factors;
  for (const Matrix& factor : d.errors.factors) factors.append(array_of(factor));
  return py::make_tuple(d.errors.known, factors, array_of(d.errors.weights),
                        array_of(d.errors.covariance), d.errors.remark);
}

void read_errors(const py::tuple& state, StandardErrors& errors) {
  errors.known = state[0].cast<bool>();
  errors.factors = matrices_of(state[1].cast<std::vector<py::array>>());
  errors.weights = vector_of(state[2].cast<py::array>());
  errors.covariance = matrix_of(state[3].cast<py::array>());
  errors.remark = state[4].cast<std::string>();
}

/// Returns everything except L and S, which are pickled separately.
py::tuple figures_of(const Decomposition& d) {
  return py::make_tuple(d.sparse_count, d.sparse_norm, static_cast<int>(d.outcome),
                        to_string(d.certificate.level), d.certificate.explanation, d.missing_count,
                        d.passes, d.entries_sampled, d.bytes_read, d.flops, d.seconds, trace_of(d),
                        render_noise(d), d.sparse_q, errors_of(d));
}

Decomposition decomposition_of(const CpModel& low_rank, const SparseTensor& sparse,
                               const py::tuple& figures) {
  Decomposition d;
  d.low_rank = low_rank;
  d.sparse = sparse;
  d.sparse_count = figures[0].cast<Index>();
  d.sparse_norm = figures[1].cast<double>();
  d.outcome = static_cast<Outcome>(figures[2].cast<int>());
  for (const Certified level :
       {Certified::none, Certified::reproducible, Certified::consistent, Certified::exact}) {
    if (to_string(level) == figures[3].cast<std::string>()) d.certificate.level = level;
  }
  d.certificate.explanation = figures[4].cast<std::string>();
  d.missing_count = figures[5].cast<Index>();
  d.passes = figures[6].cast<int>();
  d.entries_sampled = figures[7].cast<Index>();
  d.bytes_read = figures[8].cast<std::int64_t>();
  d.flops = figures[9].cast<double>();
  d.seconds = figures[10].cast<double>();
  for (const py::handle record : figures[11].cast<py::list>()) {
    d.trace.push_back(record_of(record.cast<py::dict>()));
  }
  read_noise(figures[12].cast<std::string>(), d);
  d.sparse_q = figures[13].cast<std::vector<double>>();
  read_errors(figures[14].cast<py::tuple>(), d.errors);
  return d;
}

}  // namespace

void bind_results(py::module_& module) {
  bind_parts(module);
  py::class_<Decomposition>(module, "Decomposition")
      .def_readonly("low_rank", &Decomposition::low_rank)
      .def_readonly("sparse", &Decomposition::sparse)
      .def_property_readonly("sparse_q",
                             [](const py::object& self) {
                               const auto& d = self.cast<const Decomposition&>();
                               return array_of(std::span<const double>(d.sparse_q), self);
                             })
      .def_property_readonly("errors", &errors_of)
      .def_readonly("sparse_count", &Decomposition::sparse_count)
      .def_readonly("missing_count", &Decomposition::missing_count)
      .def_readonly("passes", &Decomposition::passes)
      .def_readonly("entries_sampled", &Decomposition::entries_sampled)
      .def_readonly("flops", &Decomposition::flops)
      .def_readonly("seconds", &Decomposition::seconds)
      .def_property_readonly("outcome", [](const Decomposition& d) { return to_string(d.outcome); })
      .def_property_readonly("certified",
                             [](const Decomposition& d) { return to_string(d.certificate.level); })
      .def_property_readonly("explanation",
                             [](const Decomposition& d) { return d.certificate.explanation; })
      .def_property_readonly("trace", &trace_of)
      .def_property_readonly("noise", &render_noise)
      .def(py::pickle(
          [](const Decomposition& d) {
            return py::make_tuple(py::cast(d.low_rank), py::cast(d.sparse), figures_of(d));
          },
          [](const py::tuple& state) {
            return decomposition_of(state[0].cast<const CpModel&>(),
                                    state[1].cast<const SparseTensor&>(),
                                    state[2].cast<py::tuple>());
          }));
}

}  // namespace sunder::python
