#include "algorithms/robust_cp/certificate/conditions/contradiction.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "algorithms/robust_cp/certificate/judged_model.hpp"
#include "planted_problem.hpp"

namespace sunder::robust {
namespace {

/// A model of two components, and T with errors of one sign.
struct ReversibleModel {
  Rng rng;
  Factors model;
  DenseTensor tensor;

  ReversibleModel(const Shape& shape, double share_of_errors, std::uint64_t seed)
      : rng(seed),
        model(CpModel(Vector::Ones(2), test::random_model(shape, 2, seed).factors()).factors()),
        tensor(test::dense({Vector::Ones(2), model})) {
    for (double& x : tensor.typed<double>()) {
      if (rng.bernoulli(share_of_errors)) x += 1 + std::abs(rng.normal());
    }
  }
  void lose(double share) {
    for (double& x : tensor.typed<double>()) {
      if (rng.bernoulli(share)) x = std::numeric_limits<double>::quiet_NaN();
    }
  }
  void scale(double by) {
    for (double& x : tensor.typed<double>()) x *= by;
    model.front() *= by;
  }
  Index contradicted(double level = 1e-9) {
    Engine engine(tensor.view(), 1);
    Monitor monitor;
    const TensorFit fit = fit_tensor(engine, model, {.level = level});
    return contradicted_rows(engine, model, fit.slices, level, rng, monitor);
  }
};

TEST(Contradiction, ErrorsContradictNothing) {
  for (const Shape& shape : {Shape{40, 50}, Shape{15, 20, 25}, Shape{8, 9, 10, 11}}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      ReversibleModel example(shape, 0.6, seed);
      EXPECT_EQ(example.contradicted(), 0) << to_string(shape) << ", seed " << seed;
    }
  }
}

/// Three rows of one mode and eight of another have the wrong sign, and fit each other.
TEST(Contradiction, RowsOfReversedSignsAreContradicted) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    ReversibleModel example({15, 20, 25}, 0.2, seed);
    example.model[0].topRows(3) *= -1;
    example.model[1].topRows(8) *= -1;
    EXPECT_GE(example.contradicted(), 3) << "seed " << seed;
    example.lose(0.5);
    EXPECT_GE(example.contradicted(), 3) << "seed " << seed << ", half of it missing";
  }
}

TEST(Contradiction, LeavesNoCertificate) {
  test::JudgedModel model({15, 20, 25});
  model.corrupt(0.2);
  EXPECT_EQ(model.failed(), 0);
  model.factors[0].topRows(3) *= -1;
  model.factors[1].topRows(8) *= -1;
  EXPECT_EQ(model.failed(), 10);
}

TEST(Contradiction, TheUnitOfTheDataDoesNotMatter) {
  ReversibleModel example({15, 20, 25}, 0.2, 1);
  example.rng = Rng(1);
  example.model[0].topRows(3) *= -1;
  example.model[1].topRows(8) *= -1;
  const Index contradicted = example.contradicted();
  example.rng = Rng(1);
  example.scale(std::ldexp(1.0, 400));
  const Index of_large_numbers = example.contradicted(std::ldexp(1e-9, 400));
  EXPECT_GT(contradicted, 0);
  EXPECT_EQ(of_large_numbers, contradicted);
}

}  // namespace
}  // namespace sunder::robust
