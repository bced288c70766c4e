#include "report/figures/sparse_profile.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace sunder {
namespace {

TEST(Binning, CutsEveryExtentIntoEqualRunsButTheLast) {
  for (const Index extent : {1, 2, 63, 64, 65, 127, 1000}) {
    const Binning binning(extent, 64);
    ASSERT_GE(binning.bins(), std::min<Index>(extent, 32));
    ASSERT_LE(binning.bins(), 64);
    EXPECT_EQ(binning.begin(binning.bins()), extent);
    for (Index bin = 0; bin < binning.bins(); ++bin) {
      EXPECT_GE(binning.length(bin), 1);
      if (bin + 1 < binning.bins()) {
        EXPECT_EQ(binning.length(bin), binning.length(0));
      }
      EXPECT_EQ(binning.bin(binning.begin(bin)), bin);
      EXPECT_EQ(binning.bin(binning.begin(bin + 1) - 1), bin);
    }
  }
}

TEST(Binning, TakesTheLargestExtents) {
  const Index extent = Index{1} << 62;
  const Binning binning(extent, 200);
  EXPECT_EQ(binning.bin(0), 0);
  EXPECT_EQ(binning.bin(extent - 1), 199);
}

TEST(SliceShares, AreThePercentageOfEachSlice) {
  // Row 1 of a 3 x 4 matrix entirely, and one entry of row 2.
  const SparseTensor sparse({3, 4}, {4, 5, 6, 7, 8}, {1, 1, 1, 1, 1});
  EXPECT_EQ(slice_shares(sparse, 0, 200).heights, (std::vector<double>{0, 100, 25}));
  const Histogram halves = slice_shares(sparse, 1, 2);
  EXPECT_EQ(halves.edges, (std::vector<double>{-0.5, 1.5, 3.5}));
  EXPECT_DOUBLE_EQ(halves.heights[0], 50);
  EXPECT_NEAR(halves.heights[1], 100.0 / 3, 1e-12);
}

TEST(PairShares, NormaliseEachCellByItsVolume) {
  // 3 rows in 2 bins: cells of 2 x 1 x 2 and 1 x 1 x 2 entries.
  const SparseTensor sparse({3, 2, 2}, {0, 8, 9}, {1, 1, 1});
  const PairShares map = pair_shares(sparse, 0, 1, 2);
  EXPECT_EQ(map.rows.edges(), (std::vector<double>{-0.5, 1.5, 2.5}));
  ASSERT_EQ(map.percentages.size(), 4u);
  EXPECT_NEAR(map.percentages[0], 25, 1e-12);
  EXPECT_EQ(map.percentages[1], 0);
  EXPECT_NEAR(map.percentages[2], 100, 1e-12);
  EXPECT_EQ(map.percentages[3], 0);
}

TEST(MagnitudeHistogram, CountsEveryFiniteEntryOnce) {
  const SparseTensor sparse({10}, {0, 1, 2, 3, 4}, {0.01, -0.1, 1, 100, 0});
  const Histogram bars = magnitude_histogram(sparse, 4);
  ASSERT_EQ(bars.edges.size(), 5u);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(std::log10(bars.edges[k]), static_cast<double>(k) - 2, 1e-12);
  }
  EXPECT_EQ(bars.heights, (std::vector<double>{1, 1, 1, 1}));
}

TEST(MagnitudeHistogram, EntriesOfOneSizeMakeOneBar) {
  const SparseTensor sparse({10}, {0, 1, 2}, {5, -5, 5});
  const Histogram bars = magnitude_histogram(sparse, 5);
  EXPECT_EQ(bars.heights, (std::vector<double>{0, 0, 3, 0, 0}));
  EXPECT_TRUE(magnitude_histogram(SparseTensor(Shape{3}), 5).heights.empty());
}

}  // namespace
}  // namespace sunder
