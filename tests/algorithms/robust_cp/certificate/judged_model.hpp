#pragma once
/// A model, the tensor that it is judged by, and what else the certificate asks for. As made, every
/// condition holds; a test spoils one of them.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "algorithms/robust_cp/certificate/certificate.hpp"
#include "planted_problem.hpp"

namespace sunder::test {

struct JudgedModel {
  robust::Factors factors;
  robust::CoreSolution core;  ///< its factors are those of the model unless a test changes them
  robust::AskedRank asked;
  robust::SearchReport search;  ///< of the search that ended at the model
  DenseTensor tensor;
  double level = 1e-9;
  int passes = 0;  ///< over the tensor, in the last judgement

  explicit JudgedModel(const Shape& shape, int rank = 2, std::uint64_t seed = 7)
      : JudgedModel(model_of(random_model(shape, rank, seed).factors()).factors()) {}
  explicit JudgedModel(robust::Factors model)
      : factors(std::move(model)), tensor(dense(model_of(factors))) {
    core.factors = factors;
    core.exact = true;
    core.determinacy = robust::Determinacy::determined;
    asked.rank = factors.front().cols();
    asked.searched_all = true;
    set_spread();
  }

  /// The unit of tolerances, after a change of the model.
  void set_spread() {
    const auto entries = static_cast<double>(tensor.shape().entries());
    core.spread = robust::norm(factors) / std::sqrt(entries);
  }

  /// Adds errors of one sign to this share of the entries.
  void corrupt(double share, std::uint64_t seed = 1) {
    Rng rng(seed);
    for (double& x : tensor.typed<double>()) {
      if (rng.bernoulli(share)) x += 1 + std::abs(rng.normal());
    }
  }

  template <class Use>
  auto with_evidence(const Use& use) {
    Engine engine(tensor.view(), 1);
    robust::Monitor monitor;
    const RunOptions run;
    Precision precision = Precision::f64;
    robust::SparsePass pass(engine, run, precision, monitor);
    robust::Evidence evidence(factors, core, asked, pass, level, Rng(1));
    evidence.set_search(search, std::nullopt);
    const auto answer = use(evidence);
    passes = engine.passes();
    return answer;
  }

  robust::Judgement judgement() {
    return with_evidence([](robust::Evidence& evidence) { return judge_exact(evidence); });
  }
  /// The number of the first condition that does not hold; 0 if the model is certified.
  int failed() {
    const robust::Judgement found = judgement();
    EXPECT_EQ(found.certificate.level == Certified::exact, !found.failure);
    return found.failure ? found.failure->number : 0;
  }
};

}  // namespace sunder::test
