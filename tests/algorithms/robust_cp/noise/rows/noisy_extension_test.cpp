#include "algorithms/robust_cp/noise/rows/noisy_extension.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "../noisy_example.hpp"
#include "algorithms/robust_cp/noise/rows/row_repair.hpp"

namespace sunder::robust {
namespace {

using test::noisy_example;
using test::NoisyExample;
using test::relative_error;

/// The truth on the first half of every mode, with the noise that is there.
struct KnownPart {
  IndexSets sets;
  NoisyFit fit;
};

KnownPart first_half(const NoisyExample& example, double sigma) {
  KnownPart part;
  std::vector<Index> extents;
  for (const Matrix& factor : example.truth) {
    part.sets.emplace_back(factor.rows() / 2);
    std::iota(part.sets.back().begin(), part.sets.back().end(), Index{0});
    part.fit.factors.emplace_back(factor.topRows(factor.rows() / 2));
    part.fit.noise.scales.emplace_back(Vector::Ones(factor.rows() / 2));
  }
  part.fit.noise.variance = sigma * sigma;
  return part;
}

double noise_of(const NoisyExample& example, double noise) {
  return noise * std::sqrt(evaluate(example.truth).square().mean());
}

TEST(NoisyExtension, FindsTheRowsThatThePartDoesNotHave) {
  const NoisyExample example = noisy_example({30, 28, 26}, 3, 0.05, 0.3, 4);
  const KnownPart part = first_half(example, noise_of(example, 0.05));
  Engine engine(TensorView::of(example.core.values.data(), example.core.shape), 1);
  const ModeConstraints none;
  Rng rng(1);
  Monitor monitor;
  const ExtendedFit all =
      extend_rows({.engine = engine, .constraints = none}, part.sets, part.fit, rng, monitor);
  EXPECT_LT(relative_error(all.factors, example.truth), 0.05);
  EXPECT_TRUE((all.factors[0].topRows(15).array() == example.truth[0].topRows(15).array()).all());
}

TEST(NoisyExtension, DrawsDistinctColumnsWhereComponentsAreLarge) {
  Factors factors{Matrix::Zero(50, 1), Matrix::Zero(60, 1), Matrix::Zero(70, 1)};
  for (Matrix& factor : factors) factor.col(0).head(3).setOnes();
  Rng rng(2);
  const std::vector<Index> columns = draw_telling_columns(factors, 0, rng);
  EXPECT_TRUE(std::is_sorted(columns.begin(), columns.end()));
  EXPECT_TRUE(std::adjacent_find(columns.begin(), columns.end()) == columns.end());
  const auto alive = std::count_if(columns.begin(), columns.end(),
                                   [](Index c) { return c / 70 < 3 && c % 70 < 3; });
  EXPECT_EQ(alive, 9);  // all columns where the component is not zero
}

TEST(RowRepair, PutsAWrongRowRightAndLeavesTheOthers) {
  const NoisyExample example = noisy_example({30, 28, 26}, 3, 0.05, 0.3, 5);
  NoisyFit fit;
  fit.factors = example.truth;
  for (const Matrix& factor : example.truth)
    fit.noise.scales.emplace_back(Vector::Ones(factor.rows()));
  fit.noise.variance = std::pow(noise_of(example, 0.05), 2);
  fit.factors[1].row(7) *= -1;
  fit.noise.scales[1][7] = 50;
  Engine engine(TensorView::of(example.core.values.data(), example.core.shape), 1);
  const ModeConstraints none;
  Rng rng(3);
  Monitor monitor;
  EXPECT_EQ(repair_rows({.engine = engine, .constraints = none}, fit, rng, monitor), 1);
  EXPECT_LT((fit.factors[1].row(7) - example.truth[1].row(7)).norm(), 0.2);
  EXPECT_EQ(fit.noise.scales[1][7], 1);
  EXPECT_TRUE((fit.factors[0].array() == example.truth[0].array()).all());
}

}  // namespace
}  // namespace sunder::robust
