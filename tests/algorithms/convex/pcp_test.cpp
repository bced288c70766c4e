#include "sunder/algorithms/pcp.hpp"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <algorithm>
#include <limits>

#include "algorithms/convex/convex_problem.hpp"
#include "algorithms/matrix/matrix_method_checks.hpp"
#include "algorithms/method_checks.hpp"
#include "sunder/algorithms/evaluation.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

using test::flat_problem;
using test::of_rank;

/// Candes et al. (2011), Section 4.1: L = X Y^T with X and Y n x r of variance 1/n, S with values
/// +-1 on a random support.
struct CandesProblem {
  DenseTensor tensor;
  CpModel low_rank;
  SparseTensor sparse;

  CandesProblem(Index n, Index rank, double density, std::uint64_t seed)
      : tensor(Shape{n, n}), sparse(Shape{n, n}) {
    Rng rng(seed, 1);
    const auto normal = [&] { return rng.normal() / std::sqrt(static_cast<double>(n)); };
    const Matrix x = Matrix::NullaryExpr(n, rank, normal);
    const Matrix y = Matrix::NullaryExpr(n, rank, normal);
    low_rank = CpModel(Vector::Ones(rank), {x, y});
    tensor = test::dense(low_rank);
    std::vector<Index> positions;
    std::vector<double> values;
    for (Index at = 0; at < n * n; ++at) {
      if (rng.uniform() >= density) continue;
      positions.push_back(at);
      values.push_back(rng.uniform() < 0.5 ? -1 : 1);
      tensor.typed<double>()[at] += values.back();
    }
    sparse = SparseTensor(Shape{n, n}, std::move(positions), std::move(values));
  }
};

TEST(Pcp, IsExactWhereCandesAndOthersFoundItToBe) {
  // Their Table 1: rank 0.05 n, 5% of the entries corrupted, relative error about 1e-6.
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    const CandesProblem problem(200, 10, 0.05, seed);
    const Decomposition result = pcp_flat(problem.tensor.view(), of_rank(10), {});
    const Evaluation evaluation = evaluate(result, problem.low_rank, problem.sparse);
    EXPECT_LT(evaluation.error_low_rank, 1e-6) << "seed " << seed;
    EXPECT_EQ(evaluation.support.precision, 1);
    EXPECT_EQ(evaluation.support.recall, 1);
    EXPECT_EQ(result.low_rank.rank(), 10);
    EXPECT_EQ(result.outcome, Outcome::converged);
    EXPECT_EQ(result.certificate.level, Certified::none);
    EXPECT_EQ(result.sparse_count, result.sparse.count());
    EXPECT_NEAR(result.sparse_norm, result.sparse.norm(), 1e-12 * result.sparse.norm());
  }
}

TEST(PcpFlat, RecoversSparseCorruptionAlongEveryMode) {
  const Shape shape{40, 36, 38};
  for (int mode = 0; mode < 3; ++mode) {
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
      const PlantedTensor planted = flat_problem(shape, 2, 0.03, seed);
      const Decomposition result =
          pcp_flat(planted.tensor.view(), of_rank(2), {.flatten_mode = mode});
      const Evaluation evaluation = evaluate(result, planted.low_rank, planted.sparse);
      SCOPED_TRACE(std::to_string(mode) + ", seed " + std::to_string(seed));
      EXPECT_LT(evaluation.error_low_rank, 1e-6);
      EXPECT_EQ(evaluation.support.recall, 1);
      EXPECT_LT(test::largest_gap(planted.tensor.view(), result), 1e-6 * planted.low_rank.norm());
    }
  }
}

TEST(PcpSlice, RecoversSparseCorruptionForEveryPairOfModes) {
  const Shape shape{60, 50, 55};
  for (const std::array<int, 2> modes : {std::array{0, 1}, {2, 0}}) {
    const PlantedTensor planted = flat_problem(shape, 1, 0.02, 3);
    const Decomposition result =
        pcp_slice(planted.tensor.view(), of_rank(1), {.slice_modes = modes});
    const Evaluation evaluation = evaluate(result, planted.low_rank, planted.sparse);
    EXPECT_LT(evaluation.error_low_rank, 1e-5) << modes[0] << "," << modes[1];
    EXPECT_EQ(result.outcome, Outcome::converged);
  }
}

double objective(const Matrix& low_rank, const Matrix& sparse, double lambda) {
  return Eigen::JacobiSVD<Matrix>(low_rank).singularValues().sum() +
         lambda * sparse.cwiseAbs().sum();
}

TEST(Pcp, NoFeasibleStepLowersTheObjective) {
  // Nothing to recover here: the minimum is that of the convex program and nothing else.
  const Shape shape{24, 15};
  DenseTensor tensor(shape);
  Rng rng(1, 1);
  for (double& x : tensor.typed<double>()) x = rng.normal();
  // With the slow growth of mu the method reaches the minimum, not just a feasible point.
  const Decomposition result =
      pcp_flat(tensor.view(), of_rank(1), {.matrix = {.growth = 1.02, .tolerance = 1e-9}});
  EXPECT_EQ(result.outcome, Outcome::converged);
  EXPECT_LT(test::largest_gap(tensor.view(), result), 1e-6);
  const DenseTensor low_rank = test::dense(result.low_rank);
  const Eigen::Map<const Matrix> m(tensor.typed<double>().data(), 15, 24);
  const Eigen::Map<const Matrix> l(low_rank.typed<double>().data(), 15, 24);
  const double lambda = 1 / std::sqrt(24.0);
  const double least = objective(l, m - l, lambda);
  EXPECT_GT(result.low_rank.rank(), 0);
  EXPECT_GT(result.sparse_count, 0);
  for (int trial = 0; trial < 60; ++trial) {
    Matrix step = Matrix::NullaryExpr(15, 24, [&] { return rng.normal(); });
    if (trial % 3 == 1) step = step.unaryExpr([](double x) { return std::abs(x) > 2 ? x : 0; });
    if (trial % 3 == 2) step = step.col(0) * step.row(0);
    step *= 1e-3 * l.norm() / std::max(step.norm(), 1e-3);
    EXPECT_GT(objective(l + step, m - l - step, lambda), least - 1e-6 * least) << trial;
  }
}

TEST(Pcp, FillsInMissingEntries) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    const PlantedTensor planted = flat_problem(Shape{40, 30, 35}, 2, 0.03, seed, 0.05);
    const Decomposition result = pcp_flat(planted.tensor.view(), of_rank(2), {});
    const Evaluation evaluation = evaluate(result, planted.low_rank, planted.sparse);
    EXPECT_LT(evaluation.error_low_rank, 1e-5) << "seed " << seed;
    EXPECT_EQ(evaluation.support.precision, 1);
    EXPECT_NEAR(static_cast<double>(result.missing_count), 0.05 * 42000, 250);
  }
}

TEST(PcpSlice, ASliceWithoutEntriesIsZero) {
  PlantedTensor planted = flat_problem(Shape{40, 40, 3}, 1, 0.005, 1);
  for (Index at = 1; at < planted.tensor.entries(); at += 3) {
    planted.tensor.typed<double>()[at] = std::numeric_limits<double>::quiet_NaN();
  }
  const Decomposition result = pcp_slice(planted.tensor.view(), of_rank(1), {});
  EXPECT_EQ(result.missing_count, 1600);
  EXPECT_EQ(result.low_rank.entry({3, 4, 1}), 0);
}

TEST(Pcp, ATallMatrixIsAWideOneTurned) {
  const PlantedTensor planted = flat_problem(Shape{80, 30}, 1, 0.02, 4);
  const Decomposition tall = pcp_flat(planted.tensor.view(), of_rank(1), {});
  const Decomposition wide =
      pcp_flat(planted.tensor.view().permuted(std::array{1, 0}), of_rank(1), {});
  const CpModel back(wide.low_rank.weights(), {wide.low_rank.factor(1), wide.low_rank.factor(0)});
  EXPECT_LT(back.distance(tall.low_rank), 1e-12 * back.norm());
  EXPECT_EQ(tall.sparse_count, wide.sparse_count);
}

TEST(Pcp, SinglePrecisionIsRecoveredToItsOwnRounding) {
  const PlantedTensor planted = flat_problem(Shape{40, 30, 35}, 2, 0.03, 1);
  const std::span<const double> entries = planted.tensor.typed<double>();
  const std::vector<float> rounded(entries.begin(), entries.end());
  const Decomposition result =
      pcp_flat(TensorView::of(rounded.data(), planted.tensor.shape()), of_rank(2), {});
  EXPECT_LT(evaluate(result, planted.low_rank, planted.sparse).error_low_rank, 1e-5);
  EXPECT_EQ(result.outcome, Outcome::converged);
}

TEST(Pcp, GivesTheSameBitsForAnyNumberOfThreads) {
  const PlantedTensor planted = flat_problem(Shape{40, 35, 50}, 2, 0.02, 3);
  const TensorView view = planted.tensor.view();
  test::expect_same_bits(pcp_flat(view, of_rank(2, 1, 1), {}),
                         pcp_flat(view, of_rank(2, 1, 3), {}));
  test::expect_same_bits(pcp_slice(view, of_rank(2, 1, 1), {}),
                         pcp_slice(view, of_rank(2, 1, 2), {}));
}

TEST(Pcp, ScalingTheDataScalesTheResult) {
  PlantedTensor planted = flat_problem(Shape{30, 25, 20}, 2, 0.02, 5);
  const Decomposition plain = pcp_flat(planted.tensor.view(), of_rank(2), {});
  for (double& x : planted.tensor.typed<double>()) x *= 1024;
  const Decomposition scaled = pcp_flat(planted.tensor.view(), of_rank(2), {});
  EXPECT_NEAR(scaled.low_rank.norm(), 1024 * plain.low_rank.norm(), 1e-10 * scaled.low_rank.norm());
  EXPECT_EQ(scaled.sparse_count, plain.sparse_count);
}

TEST(Pcp, EndsCleanlyOnDegenerateData) {
  test::for_constant_tensors({0, 1, -3}, test::degenerate_shapes(), [](const DenseTensor& tensor) {
    for (const Decomposition& result :
         {pcp_flat(tensor.view(), of_rank(1), {}), pcp_slice(tensor.view(), of_rank(1), {})}) {
      EXPECT_EQ(result.outcome, Outcome::converged);
      EXPECT_EQ(result.low_rank.shape(), tensor.shape());
      EXPECT_LT(test::largest_gap(tensor.view(), result), 1e-5);
    }
  });
}

TEST(Pcp, TheTraceCountsSweeps) {
  const PlantedTensor planted = flat_problem(Shape{30, 25, 20}, 2, 0.02, 7);
  for (const Decomposition& result : {pcp_flat(planted.tensor.view(), of_rank(2), {}),
                                      pcp_slice(planted.tensor.view(), of_rank(2), {})}) {
    ASSERT_GT(result.trace.size(), 5U);
    EXPECT_EQ(result.trace[1].pass - result.trace[0].pass, 5);
    EXPECT_EQ(result.passes, result.trace.back().pass + 1);  // the last sweep lists S
    EXPECT_LT(result.trace.back().kept_residual, 1e-7);
    EXPECT_LT(result.trace.back().change, 1e-4);
  }
}

TEST(Pcp, SaysWhenTheIterationsDidNotSuffice) {
  const PlantedTensor planted = flat_problem(Shape{30, 25, 20}, 2, 0.02, 8);
  test::expect_outcome(pcp_flat, pcp_slice, planted.tensor.view(), of_rank(2),
                       {.max_iterations = 4}, Outcome::iteration_limit);
}

TEST(Pcp, CountsTheSparsePartWithoutListingIt) {
  const PlantedTensor planted = flat_problem(Shape{40, 30, 35}, 2, 0.02, 9);
  RunOptions run = of_rank(2);
  run.collect_sparse = false;
  const Decomposition result = pcp_flat(planted.tensor.view(), run, {});
  EXPECT_EQ(result.sparse.count(), 0);
  EXPECT_EQ(result.sparse_count, planted.sparse.count());
}

TEST(Pcp, CanBeCancelled) {
  const PlantedTensor planted = flat_problem(Shape{30, 25, 20}, 2, 0.02, 9);
  for (const int threads : {1, 2}) {
    test::expect_outcome(pcp_flat, pcp_slice, planted.tensor.view(),
                         test::cancelled_at(10, of_rank(2, 1, threads)), {}, Outcome::cancelled);
  }
}

TEST(Pcp, RefusesWhatItCannotUse) {
  const std::vector<PcpOptions> wrong = {
      {.lambda = 0}, {.growth = 1}, {.tolerance = 0}, {.max_iterations = 0}};
  test::expect_matrix_method_refuses(pcp_flat, pcp_slice, wrong);
}

}  // namespace
}  // namespace sunder
