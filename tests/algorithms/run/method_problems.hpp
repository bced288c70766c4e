#pragma once
/// A small problem for every method, for the tests of what all methods share.

#include <memory>
#include <string>
#include <vector>

#include "planted_problem.hpp"
#include "sunder/algorithms/method.hpp"

namespace sunder::test {

struct MethodProblem {
  std::unique_ptr<Method> method;
  PlantedTensor data;
  RunOptions run;
  std::unique_ptr<CpModel> truth = {};

  Decomposition solve() const { return method->decompose(data.tensor.view(), run); }
};

inline MethodProblem problem_of(const std::string& name) {
  PlantedOptions options = small_problem(3);
  if (name == "rtd") {
    options.shape = Shape{20, 20, 20};
    options.symmetric = true;
    options.support = Support::block;
    options.blocks = 2;
    options.density = 0.1;
  }
  MethodProblem problem{make_method(name), generate_planted(options), of_rank(3)};
  if (name == "rtd-whiten-true") {
    problem.truth = std::make_unique<CpModel>(problem.data.low_rank);
    problem.run.true_low_rank = problem.truth.get();
  }
  return problem;
}

/// The same with few iterations, for tests in which a pass costs much.
inline MethodProblem short_problem_of(const std::string& name) {
  MethodProblem problem = problem_of(name);
  if (name == "rtd") {
    problem.run.rank = 1;
    problem.method->set("restarts", "2");
    problem.method->set("power-iterations", "2");
    problem.method->set("delta", "1");
  } else {
    problem.method->set("max-iterations", "4");
    problem.method->set("als-sweeps", "2");
  }
  return problem;
}

/// The methods that know the tensor through passes only.
inline std::vector<std::string> methods_by_passes() {
  return {"rtd-als", "rtd", "rtd-whiten-true"};
}

}  // namespace sunder::test
