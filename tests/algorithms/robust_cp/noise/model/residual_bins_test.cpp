#include "algorithms/robust_cp/noise/model/residual_bins.hpp"

#include <gtest/gtest.h>

namespace sunder::robust {
namespace {

TEST(ResidualBins, EveryResidualLiesBetweenTheEdgesOfItsBin) {
  const ResidualBins bins(0.3);
  for (const double x : {0.0, 1e-9, 0.01, 0.1, 0.29, 0.31, 1.0, 7.7, 1000.0}) {
    for (const double r : {x, -x}) {
      const int b = bins.of(r);
      EXPECT_LE(bins.edge(b), r + 1e-6) << r;
      EXPECT_GE(bins.edge(b + 1), r - 1e-6) << r;
    }
  }
  EXPECT_EQ(bins.of(1e30), ResidualBins::count - 1);
  EXPECT_EQ(bins.of(-1e30), 0);
}

TEST(ResidualBins, EdgesAscend) {
  const ResidualBins bins(2);
  for (int b = 0; b < ResidualBins::count; ++b) {
    EXPECT_GT(bins.width(b), 0) << b;
    EXPECT_EQ(bins.of(bins.middle(b)), b);
  }
}

}  // namespace
}  // namespace sunder::robust
