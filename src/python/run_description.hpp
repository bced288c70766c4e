#pragma once
/// Conversion of a RunDescription to and from a Python dictionary.

#include <pybind11/stl.h>

#include "report/report.hpp"

namespace sunder::python {

inline pybind11::dict dict_of(const RunDescription& run) {
  using pybind11::literals::operator""_a;
  return pybind11::dict("input"_a = run.input, "dtype"_a = run.dtype, "method"_a = run.method,
                        "options"_a = run.options, "seed"_a = run.seed, "group"_a = run.group);
}

inline RunDescription description_of(const pybind11::dict& fields) {
  RunDescription run;
  run.input = fields["input"].cast<std::string>();
  run.dtype = fields["dtype"].cast<std::string>();
  run.method = fields["method"].cast<std::string>();
  run.options = fields["options"].cast<std::map<std::string, std::string>>();
  run.seed = fields["seed"].cast<std::uint64_t>();
  run.group = fields["group"].cast<std::vector<int>>();
  return run;
}

}  // namespace sunder::python
