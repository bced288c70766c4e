#pragma once
/// Problems that robust-cp solves, of every kind.

#include <string>
#include <utility>
#include <vector>

#include "planted_problem.hpp"
#include "sunder/algorithms/robust_cp.hpp"

namespace sunder::test {

/// A core smaller than the default, so that sampling and extension are at work on small tensors.
inline RobustCpOptions small_core() {
  RobustCpOptions options;
  options.core = 30;
  return options;
}

struct NamedProblem {
  std::string name;
  PlantedOptions planted;
};

inline std::vector<NamedProblem> named_problems() {
  std::vector<NamedProblem> list;
  const auto add = [&](const std::string& name, Shape shape, int rank,
                       double density) -> PlantedOptions& {
    PlantedOptions options;
    options.shape = shape;
    options.rank = rank;
    options.density = density;
    list.push_back({name, options});
    return list.back().planted;
  };
  add("uniform", {50, 50, 50}, 3, 0.2);
  add("half corrupted", {50, 50, 50}, 3, 0.5);
  add("blocks", {50, 50, 50}, 3, 0.25).support = Support::block;
  add("random signs", {50, 50, 50}, 3, 0.4).signs = Signs::random;
  add("a hundred times larger", {50, 50, 50}, 3, 0.4).magnitude = 100;
  add("nothing corrupted", {50, 50, 50}, 3, 0).support = Support::none;
  add("missing", {50, 50, 50}, 3, 0.2).missing = 0.4;
  add("short mode", {3, 80, 80}, 2, 0.2);
  add("matrix", {120, 150}, 3, 0.2);
  add("order four", {20, 20, 20, 20}, 3, 0.2);
  add("single precision", {50, 50, 50}, 3, 0.2).type = ScalarType::f32;
  return list;
}

}  // namespace sunder::test
