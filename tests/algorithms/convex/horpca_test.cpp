#include "sunder/algorithms/horpca.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <limits>

#include "algorithms/convex/convex_problem.hpp"
#include "algorithms/convex/tucker_models.hpp"
#include "algorithms/matrix/unfolding.hpp"
#include "algorithms/method_checks.hpp"
#include "sunder/algorithms/evaluation.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

using test::of_rank;

/// In the manner of the simulations of Goldfarb and Qin (2014): a core and factors of normal
/// entries, the factors orthonormalised, the tensor scaled to entries of about 1; to a random share
/// of the entries a number uniform in (-1, 1) is added.
struct TuckerProblem {
  DenseTensor tensor;
  CpModel low_rank;
  SparseTensor sparse;

  TuckerProblem(const Shape& shape, Index rank, double density, std::uint64_t seed)
      : sparse(shape) {
    Rng rng(seed, 1);
    const auto normal = [&] { return rng.normal(); };
    TuckerModel tucker;
    std::vector<Index> ranks;
    for (const Index extent : shape) {
      const Matrix random = Matrix::NullaryExpr(extent, rank, normal);
      tucker.factors.emplace_back(Eigen::HouseholderQR<Matrix>(random).householderQ() *
                                  Matrix::Identity(extent, rank));
      ranks.push_back(rank);
    }
    tucker.core_shape = Shape(ranks);
    tucker.core.resize(tucker.core_shape.entries());
    const double scale = std::sqrt(static_cast<double>(shape.entries()) /
                                   static_cast<double>(tucker.core_shape.entries()));
    for (double& x : tucker.core) x = scale * rng.normal();
    low_rank = cp_model(tucker);
    tensor = test::dense(low_rank);
    std::vector<Index> positions;
    std::vector<double> values;
    for (Index at = 0; at < shape.entries(); ++at) {
      if (rng.uniform() >= density) continue;
      positions.push_back(at);
      values.push_back(rng.uniform(-1, 1));
      tensor.typed<double>()[at] += values.back();
    }
    sparse = SparseTensor(shape, std::move(positions), std::move(values));
  }
};

TEST(Horpca, IsExactForALowMultilinearRank) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    const Shape shape = seed == 1 ? Shape{40, 40, 40} : Shape{24, 28, 32};
    const TuckerProblem problem(shape, seed == 1 ? 3 : 2, 0.1, seed);
    // The smaller the entries of S, the smaller the mu that finds them soon.
    const Decomposition result = horpca(problem.tensor.view(), of_rank(3), {.mu = 1});
    const Evaluation evaluation = evaluate(result, problem.low_rank, problem.sparse);
    EXPECT_LT(evaluation.error_low_rank, 1e-5) << "seed " << seed;
    EXPECT_GT(evaluation.support.recall, 0.999);
    EXPECT_LE(result.low_rank.rank(), 9);
    EXPECT_EQ(result.outcome, Outcome::converged);
    EXPECT_EQ(result.certificate.level, Certified::none);
    EXPECT_LT(test::largest_gap(problem.tensor.view(), result), 1e-3);
    EXPECT_EQ(result.sparse_count, result.sparse.count());
    EXPECT_NEAR(result.sparse_norm, result.sparse.norm(), 1e-12 * result.sparse.norm());
  }
}

TEST(HorpcaC, IsExactForMoreCorruptionWhenToldTheRank) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    const TuckerProblem problem(Shape{40, 40, 40}, 3, 0.25, seed);
    const Decomposition result = horpca_c(problem.tensor.view(), of_rank(3), {});
    const Evaluation evaluation = evaluate(result, problem.low_rank, problem.sparse);
    EXPECT_LT(evaluation.error_low_rank, 1e-5) << "seed " << seed;
    EXPECT_LE(result.low_rank.rank(), 9);
    EXPECT_EQ(result.outcome, Outcome::converged);
  }
}

/// sum_i ||L_(i)||_* + lambda ||S||_1.
double objective(const DenseTensor& low_rank, const DenseTensor& tensor, double lambda) {
  double sum = 0;
  const std::span<const double> l = low_rank.typed<double>();
  for (int mode = 0; mode < 3; ++mode) {
    const Unfolding unfolding(low_rank.shape(), mode, 1);
    const Matrix a = unfolding.times(l, Matrix::Identity(unfolding.rows(), unfolding.rows()));
    sum += Eigen::JacobiSVD<Matrix>(a).singularValues().sum();
  }
  for (std::size_t j = 0; j < l.size(); ++j) {
    sum += lambda * std::abs(tensor.typed<double>()[j] - l[j]);
  }
  return sum;
}

TEST(Horpca, NoFeasibleStepLowersTheObjective) {
  const Shape shape{8, 7, 6};
  const TuckerProblem problem(shape, 2, 0.3, 1);
  const Decomposition result = horpca(problem.tensor.view(), of_rank(1),
                                      {.mu = 1, .tolerance = 1e-8, .max_iterations = 20000});
  EXPECT_EQ(result.outcome, Outcome::converged);
  EXPECT_GT(result.low_rank.rank(), 0);
  const double lambda = 1 / std::sqrt(8.0);
  const DenseTensor low_rank = test::dense(result.low_rank);
  const double least = objective(low_rank, problem.tensor, lambda);
  EXPECT_LT(least, objective(test::dense(problem.low_rank), problem.tensor, lambda) * (1 + 1e-9));
  Rng rng(2, 1);
  for (int trial = 0; trial < 40; ++trial) {
    DenseTensor moved = test::dense(result.low_rank);
    if (trial % 2 == 0) {
      for (double& x : moved.typed<double>()) x += 1e-3 * rng.normal();
    } else {
      const DenseTensor step = test::dense(test::random_model(shape, 1, rng.below(1000)));
      for (std::size_t j = 0; j < moved.typed<double>().size(); ++j) {
        moved.typed<double>()[j] += 1e-3 * step.typed<double>()[j];
      }
    }
    EXPECT_GT(objective(moved, problem.tensor, lambda), least * (1 - 1e-7)) << trial;
  }
}

TEST(Horpca, FillsInMissingEntries) {
  TuckerProblem problem(Shape{30, 30, 30}, 2, 0.05, 3);
  Rng rng(7, 1);
  Index missing = 0;
  for (double& x : problem.tensor.typed<double>()) {
    if (rng.uniform() >= 0.1) continue;
    x = std::numeric_limits<double>::quiet_NaN();
    ++missing;
  }
  for (const Decomposition& result : {horpca(problem.tensor.view(), of_rank(2), {.mu = 1}),
                                      horpca_c(problem.tensor.view(), of_rank(2), {})}) {
    EXPECT_EQ(result.missing_count, missing);
    EXPECT_LT(evaluate(result, problem.low_rank, problem.sparse).error_low_rank, 1e-4);
  }
}

TEST(Horpca, TakesAnyOrder) {
  for (const Shape& shape : {Shape{60, 50}, Shape{16, 14, 12, 10}}) {
    const TuckerProblem problem(shape, 1, 0.02, 4);
    // Twice the same unfolding asks for twice the weight of S.
    const double lambda = shape.order() == 2 ? 2 : 1;
    for (const Decomposition& result :
         {horpca(problem.tensor.view(), of_rank(1), {.lambda = lambda, .mu = 1}),
          horpca_c(problem.tensor.view(), of_rank(1), {})}) {
      EXPECT_LT(evaluate(result, problem.low_rank, problem.sparse).error_low_rank, 1e-4)
          << to_string(shape);
      EXPECT_EQ(result.low_rank.rank(), 1);
    }
  }
}

TEST(Horpca, ThePermutedTensorHasThePermutedResult) {
  const TuckerProblem problem(Shape{20, 24, 18}, 2, 0.05, 5);
  const TensorView turned = problem.tensor.view().permuted(std::array{2, 0, 1});
  const Decomposition plain = horpca(problem.tensor.view(), of_rank(2), {.mu = 1});
  const Decomposition result = horpca(turned, of_rank(2), {.mu = 1});
  const CpModel back = test::turned_back(result.low_rank);
  EXPECT_LT(back.distance(plain.low_rank), 1e-9 * back.norm());
}

TEST(Horpca, ScalingTheDataScalesTheResult) {
  TuckerProblem problem(Shape{20, 24, 18}, 2, 0.05, 6);
  test::expect_result_scales(
      problem.tensor, [&] { return horpca_c(problem.tensor.view(), of_rank(2), {}); }, 1e-9);
}

TEST(Horpca, GivesTheSameBitsForAnyNumberOfThreads) {
  const TuckerProblem problem(Shape{40, 35, 30}, 2, 0.05, 7);
  const TensorView view = problem.tensor.view();
  const HorpcaOptions few{.max_iterations = 20};
  test::expect_same_bits(horpca(view, of_rank(2, 1, 1), few), horpca(view, of_rank(2, 1, 3), few));
}

TEST(Horpca, EndsCleanlyOnDegenerateData) {
  test::for_constant_tensors({0, 1, -3}, test::degenerate_shapes(), [](const DenseTensor& tensor) {
    for (const Decomposition& result :
         {horpca(tensor.view(), of_rank(1), {}), horpca_c(tensor.view(), of_rank(1), {})}) {
      EXPECT_EQ(result.low_rank.shape(), tensor.shape());
      EXPECT_LT(test::largest_gap(tensor.view(), result), 1e-4);
    }
  });
}

TEST(Horpca, TheTraceCountsSweeps) {
  const TuckerProblem problem(Shape{20, 24, 18}, 2, 0.05, 8);
  const Decomposition result = horpca(problem.tensor.view(), of_rank(2), {.mu = 1});
  ASSERT_GT(result.trace.size(), 5U);
  EXPECT_EQ(result.trace[1].pass - result.trace[0].pass, 13);  // four for each mode and one for S
  EXPECT_EQ(result.passes, result.trace.back().pass + 3);
  EXPECT_LT(result.trace.back().kept_residual, 1e-6);
  EXPECT_LT(result.trace.back().change, 1e-6);
}

TEST(Horpca, SaysWhenTheIterationsDidNotSuffice) {
  const TuckerProblem problem(Shape{20, 24, 18}, 2, 0.05, 8);
  const TensorView view = problem.tensor.view();
  EXPECT_EQ(horpca(view, of_rank(2), {.max_iterations = 4}).outcome, Outcome::iteration_limit);
  EXPECT_EQ(horpca_c(view, of_rank(2), {.max_iterations = 4}).outcome, Outcome::iteration_limit);
}

TEST(Horpca, CanBeCancelled) {
  const TuckerProblem problem(Shape{20, 24, 18}, 2, 0.05, 9);
  const RunOptions run = test::cancelled_at(5, of_rank(2));
  EXPECT_EQ(horpca(problem.tensor.view(), run, {}).outcome, Outcome::cancelled);
  EXPECT_EQ(horpca_c(problem.tensor.view(), run, {}).outcome, Outcome::cancelled);
}

TEST(Horpca, RefusesWhatItCannotUse) {
  DenseTensor tensor(Shape{3, 3, 4});
  tensor.typed<double>()[0] = 1;
  const auto s = [&](int rank, HorpcaOptions options = {}) {
    horpca(tensor.view(), of_rank(rank), options);
  };
  const auto c = [&](int rank, HorpcaCOptions options = {}) {
    horpca_c(tensor.view(), of_rank(rank), options);
  };
  EXPECT_NO_THROW(s(3));
  EXPECT_NO_THROW(c(3));
  EXPECT_THROW(s(0), OptionError);
  EXPECT_THROW(c(0), OptionError);
  EXPECT_THROW(s(10), InputError);
  EXPECT_THROW(s(1, {.lambda = 0}), OptionError);
  EXPECT_THROW(s(1, {.mu = 0}), OptionError);
  EXPECT_THROW(s(1, {.tolerance = 0}), OptionError);
  EXPECT_THROW(s(1, {.max_iterations = 0}), OptionError);
  EXPECT_THROW(c(1, {.mu = -1}), OptionError);
  EXPECT_THROW(c(1, {.reduction = 0}), OptionError);
  EXPECT_THROW(c(1, {.smallest_mu = -1}), OptionError);
  test::expect_refuses_infinity(tensor, {[&] { s(1); }});
  test::expect_refuses_only_missing(tensor, {[&] { s(1); }, [&] { c(1); }});
}

}  // namespace
}  // namespace sunder
