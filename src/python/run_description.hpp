#pragma once
/// Conversion of a RunDescription to and from a Python dictionary.

#include <pybind11/stl.h>

#include "sunder/report/run_description.hpp"

namespace sunder::python {

inline pybind11::dict dict_of(const RunDescription& run) {
  using pybind11::literals::operator""_a;
  pybind11::dict fields("input"_a = run.input, "dtype"_a = run.dtype, "method"_a = run.method,
                        "options"_a = run.options, "seed"_a = run.seed, "group"_a = run.group);
  if (run.plan) {
    const ReadingPlan& plan = *run.plan;
    fields["plan"] = pybind11::make_tuple(plan.streamed, plan.memory_limit, plan.memory,
                                          plan.bytes_to_read, plan.passes);
  }
  return fields;
}

inline RunDescription description_of(const pybind11::dict& fields) {
  RunDescription run;
  run.input = fields["input"].cast<std::string>();
  run.dtype = fields["dtype"].cast<std::string>();
  run.method = fields["method"].cast<std::string>();
  run.options = fields["options"].cast<std::map<std::string, std::string>>();
  run.seed = fields["seed"].cast<std::uint64_t>();
  run.group = fields["group"].cast<std::vector<int>>();
  if (fields.contains("plan")) {
    const auto plan = fields["plan"].cast<pybind11::tuple>();
    run.plan = ReadingPlan{plan[0].cast<bool>(), plan[1].cast<std::int64_t>(),
                           plan[2].cast<std::int64_t>(), plan[3].cast<std::int64_t>(),
                           plan[4].cast<int>()};
  }
  return run;
}

}  // namespace sunder::python
