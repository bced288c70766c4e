#include "algorithms/robust_cp/core/dense_core.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/planted_core.hpp"

namespace sunder::robust {
namespace {

TEST(DenseCore, PowersOfTwo) {
  EXPECT_EQ(power_of_two_near(1), 1);
  EXPECT_EQ(power_of_two_near(5), 4);
  EXPECT_EQ(power_of_two_near(0.3), 0.25);
  EXPECT_EQ(power_of_two_near(0), 1);
  EXPECT_EQ(power_of_two_near(1e308), 0x1p1000);
  EXPECT_EQ(power_of_two_near(5e-324), 0x1p-1000);
}

TEST(DenseCore, EntriesAreThoseOfTheModel) {
  const Shape shape{3, 4, 5};
  const Factors factors = test::normal_factors(shape, 2, 1);
  const Entries entries = evaluate(factors);
  const CpModel model = as_model(factors);
  for (Index i = 0; i < shape.entries(); ++i) {
    const ModeIndices at = shape.unravel(i);
    EXPECT_NEAR(entries[i], model.entry({at[0], at[1], at[2]}), 1e-13);
  }
}

TEST(DenseCore, UnfoldingsHaveTheFibresAsColumns) {
  const Shape shape{2, 3, 4};
  const Entries entries = Entries::LinSpaced(24, 0, 23);
  for (int mode = 0; mode < 3; ++mode) {
    const RowMatrix rows = unfold(shape, entries, mode);
    ASSERT_EQ(rows.rows(), shape[mode]);
    const Factors factors = test::normal_factors(shape, 1, 2);
    // X_m (Khatri-Rao of the others) is the MTTKRP: both orders of columns agree.
    const Matrix product = rows * khatri_rao_of_others(factors, mode);
    Matrix expected = Matrix::Zero(shape[mode], 1);
    for (Index i = 0; i < 24; ++i) {
      const ModeIndices at = shape.unravel(i);
      double weight = entries[i];
      for (std::size_t m = 0; m < 3; ++m) {
        if (static_cast<int>(m) != mode) weight *= factors[m](at[m], 0);
      }
      expected(at[mode], 0) += weight;
    }
    EXPECT_LT((product - expected).norm(), 1e-12 * expected.norm()) << mode;
  }
}

TEST(DenseCore, ResidualsOfMissingEntriesAreZero) {
  const auto planted = test::planted_core({6, 6, 6}, 1, {.density = 0.5, .missing = 0.5}, 3);
  const Entries R = residual(planted.core, planted.truth);
  EXPECT_EQ(((1 - planted.core.observed) * R).abs().maxCoeff(), 0);
  EXPECT_GT(R.abs().maxCoeff(), 0.1);
}

TEST(DenseCore, APassSeesTheObservedEntries) {
  const auto planted = test::planted_core({6, 7, 8}, 2, {.density = 0.3, .missing = 0.2}, 4);
  Monitor monitor;
  const PassResult seen =
      fused_pass(planted.core, planted.truth, Rule::hard_threshold(1e-9), monitor);
  EXPECT_EQ(seen.statistics.observed(), static_cast<Index>(planted.core.observed.sum()));
  EXPECT_EQ(seen.mttkrp.size(), 3U);
  EXPECT_EQ(monitor.flops(), 6.0 * 6 * 7 * 8 * 2);
  fused_pass(planted.core, planted.truth, Rule::keep_all(), monitor, Products::none);
  EXPECT_EQ(monitor.flops(), 8.0 * 6 * 7 * 8 * 2);
}

}  // namespace
}  // namespace sunder::robust
