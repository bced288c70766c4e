#include "algorithms/robust_cp/inference/errors/normal_equations.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/noise/noisy_example.hpp"

namespace sunder::robust {
namespace {

/// The row of J of one entry.
Vector row_of(const NormalEquations& equations, const Factors& factors, const ModeIndices& at) {
  const Index rank = factors.front().cols();
  Vector row = Vector::Zero(equations.unknowns());
  for (std::size_t m = 0; m < factors.size(); ++m) {
    for (Index k = 0; k < rank; ++k) {
      double product = 1;
      for (std::size_t l = 0; l < factors.size(); ++l) {
        if (l != m) product *= factors[l](at[l], k);
      }
      row[equations.at(static_cast<int>(m), at[m]) + k] = product;
    }
  }
  return row;
}

TEST(NormalEquations, AreThoseOfTheObviousLoopBlockByBlock) {
  const Shape shape{4, 3, 5, 2};
  Rng rng(31201);
  const Factors factors = test::normal_factors(shape, 3, rng);
  NormalEquations equations(factors);
  Matrix H = Matrix::Zero(equations.unknowns(), equations.unknowns());
  Matrix Q = H;
  for (const std::vector<Index>& rows : {std::vector<Index>{0, 2}, std::vector<Index>{1, 3}}) {
    const IndexSets sets{rows, {0, 1, 2}, {0, 1, 2, 3, 4}, {0, 1}};
    DenseCore block;
    block.shape = Shape{2, 3, 5, 2};
    block.values = Entries::Zero(60);
    block.observed = Entries::Ones(60);
    block.observed[7] = 0;
    EntryWeights weights{Entries(60), Entries::Ones(60), Entries::Ones(60)};
    Entries residuals(60);
    for (Index i = 0; i < 60; ++i) {
      weights.curvature[i] = rng.uniform(0, 2);
      residuals[i] = rng.normal();
      if (!block.is_observed(i)) continue;
      const ModeIndices local = block.shape.unravel(i);
      const ModeIndices at{rows[local[0]], local[1], local[2], local[3]};
      const Vector J = row_of(equations, factors, at);
      H += weights.curvature[i] * J * J.transpose();
      Q += std::pow(weights.curvature[i] * residuals[i], 2) * J * J.transpose();
    }
    equations.add(block, sets, residuals, weights, NoiseModel{});
  }
  EXPECT_EQ(equations.observed, 118);
  const auto upper = [](const Matrix& full) { return Matrix(full.triangularView<Eigen::Upper>()); };
  // Within the blocks of the diagonal both triangles are there, the rest is above it.
  for (const auto& [found, expected] :
       {std::pair{&equations.curvature, &H}, std::pair{&equations.scatter, &Q}}) {
    EXPECT_LT((upper(*found) - upper(*expected)).norm(), 1e-10 * expected->norm());
  }
}

}  // namespace
}  // namespace sunder::robust
