#include "report/figures/residual_histogram.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace sunder {
namespace {

double total(const Histogram& histogram) {
  return std::accumulate(histogram.heights.begin(), histogram.heights.end(), 0.0);
}

TEST(ResidualHistogram, EveryResidualIsInItsInterval) {
  ResidualHistogram residuals;
  for (int k = 0; k < 500; ++k) residuals.add(std::pow(10.0, -12 + 0.01 * k), false);
  for (int k = 0; k < 70; ++k) residuals.add(-3.0, true);
  const ResidualHistogram::Parts parts = residuals.parts(60);
  EXPECT_EQ(residuals.entries(), 570);
  EXPECT_EQ(total(parts.kept), 500);
  EXPECT_EQ(total(parts.in_sparse), 70);
  ASSERT_LE(parts.kept.heights.size(), 60u);
  ASSERT_EQ(parts.kept.edges.size(), parts.kept.heights.size() + 1);
  EXPECT_EQ(parts.kept.edges, parts.in_sparse.edges);
  for (std::size_t k = 0; k < parts.in_sparse.heights.size(); ++k) {
    if (parts.in_sparse.heights[k] == 0) continue;
    EXPECT_LE(parts.in_sparse.edges[k], 3.0);
    EXPECT_GE(parts.in_sparse.edges[k + 1], 3.0);
  }
}

TEST(ResidualHistogram, ZerosAndWhatIsNoNumberHaveNoInterval) {
  ResidualHistogram residuals;
  residuals.add(0, false);
  residuals.add(std::numeric_limits<double>::quiet_NaN(), false);
  residuals.add(std::numeric_limits<double>::infinity(), true);
  EXPECT_EQ(residuals.entries(), 1);
  EXPECT_EQ(residuals.zeros(), 1);
  EXPECT_TRUE(residuals.parts(60).kept.heights.empty());
}

TEST(ResidualHistogram, BearsTheWholeRangeOfDoubles) {
  ResidualHistogram residuals;
  residuals.add(5e-324, false);
  residuals.add(std::numeric_limits<double>::max(), true);
  const ResidualHistogram::Parts parts = residuals.parts(10);
  EXPECT_LE(parts.kept.heights.size(), 10u);
  EXPECT_EQ(total(parts.kept) + total(parts.in_sparse), 2);
}

TEST(Outline, FollowsTheBarsAndStopsAtEmptyOnes) {
  const Curve curve = outline({{0, 1, 2, 3}, {5, 0, 7}}, "bars");
  EXPECT_EQ(curve.x[0], (std::vector<double>{0, 1, 1, 2, 2, 3}));
  EXPECT_EQ(curve.y[1], 5);
  EXPECT_TRUE(std::isnan(curve.y[2]));
  EXPECT_EQ(curve.y[4], 7);
}

}  // namespace
}  // namespace sunder
