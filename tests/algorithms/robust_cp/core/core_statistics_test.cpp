#include "algorithms/robust_cp/core/core_statistics.hpp"

#include <gtest/gtest.h>

#include <set>

#include "algorithms/robust_cp/planted_core.hpp"

namespace sunder::robust {
namespace {

TEST(CoreStatistics, ZerosTellNothingWhereTheyAreCommon) {
  DenseCore core;
  core.shape = Shape{10, 10};
  core.values = Entries::Constant(100, 2);
  EXPECT_EQ(informative(core).size(), 100U);
  core.values.head(5).setZero();
  EXPECT_EQ(informative(core).size(), 100U) << "a few zeros are data";
  core.values.head(20).setZero();
  EXPECT_EQ(informative(core).size(), 80U);
  core.observed = Entries::Ones(100);
  core.observed.tail(30).setZero();
  EXPECT_EQ(informative(core).size(), 50U);
  core.values.setZero();
  EXPECT_EQ(informative(core).size(), 70U) << "nothing but zeros";
}

TEST(CoreStatistics, ThinningKeepsEnoughAndMeetsEveryIndex) {
  std::vector<Index> entries(100'000);
  for (std::size_t k = 0; k < entries.size(); ++k) entries[k] = static_cast<Index>(k);
  const std::vector<Index> kept = thinned(entries);
  EXPECT_EQ(kept.size(), 20'000U);
  std::set<Index> last_digits;
  for (const Index i : thinned(std::vector<Index>(entries.begin(), entries.begin() + 90'000))) {
    last_digits.insert(i % 2);
  }
  EXPECT_EQ(last_digits.size(), 2U);
  const std::vector<Index> few = {3, 1, 4};
  EXPECT_EQ(thinned(few), few);
}

TEST(CoreStatistics, TheSpreadHeedsNoOutliers) {
  Rng rng(1);
  DenseCore core;
  core.shape = Shape{100, 100};
  core.values = Entries::NullaryExpr(10'000, [&] { return 7 + 2 * rng.normal(); });
  core.values.head(2000) = 1e6;
  EXPECT_GT(spread(core, informative(core)), 2);
  EXPECT_LT(spread(core, informative(core)), 3);
}

TEST(CoreStatistics, TheSpreadOfConstantDataIsTheirSize) {
  DenseCore core;
  core.shape = Shape{10, 10};
  core.values = Entries::Constant(100, -3);
  EXPECT_EQ(spread(core, informative(core)), 3);
  core.values.setZero();
  EXPECT_GT(spread(core, informative(core)), 0);
}

TEST(CoreStatistics, ValuesAndResidualsAtSomeEntries) {
  const auto planted = test::planted_core({5, 6, 7}, 2, {.density = 0}, 2);
  Factors off = planted.truth;
  off[0] *= 2;
  const std::vector<double> magnitudes = magnitudes_at(planted.core, off, {0, 50, 209});
  ASSERT_EQ(magnitudes.size(), 3U);
  EXPECT_NEAR(magnitudes[1], std::abs(planted.core.values[50]), 1e-12);
  const double middle = std::max(
      std::min(planted.core.values[0], planted.core.values[1]),
      std::min(std::max(planted.core.values[0], planted.core.values[1]), planted.core.values[2]));
  EXPECT_EQ(median_at(planted.core, {0, 1, 2}), middle);
}

}  // namespace
}  // namespace sunder::robust
