#include "algorithms/run/double_entries.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>

namespace sunder {
namespace {

TEST(DoubleEntries, DoublesInCOrderAreNotCopied) {
  const DenseTensor tensor(Shape{3, 4});
  const DoubleEntries entries(tensor.view());
  EXPECT_FALSE(entries.copied());
  EXPECT_EQ(entries.entries().data(), tensor.data());
  EXPECT_EQ(entries.entries().size(), 12U);
}

TEST(DoubleEntries, OtherTypesAndStridesAreWidened) {
  std::array<std::int16_t, 24> numbers{};
  std::iota(numbers.begin(), numbers.end(), std::int16_t{-5});
  const TensorView tensor = TensorView::of(numbers.data(), Shape{2, 3, 4});
  const TensorView turned = tensor.permuted(std::array{2, 0, 1});
  for (const TensorView& view :
       {tensor, turned, TensorView::of(numbers.data(), Shape{2, 3, 4}, StorageOrder::fortran)}) {
    const DoubleEntries entries(view);
    EXPECT_TRUE(entries.copied());
    for (Index at = 0; at < 24; ++at) {
      const ModeIndices index = view.shape().unravel(at);
      EXPECT_EQ(entries.entries()[at], view({index[0], index[1], index[2]}));
    }
  }
}

TEST(DoubleEntries, PiecesCoverEverythingOnceWhateverTheThreads) {
  for (const Index count : {Index{1}, Index{32768}, Index{100001}}) {
    for (const int threads : {1, 3}) {
      const double sum =
          sum_over_pieces<double>(count, threads, [](std::size_t begin, std::size_t end) {
            double partial = 0;
            for (std::size_t i = begin; i < end; ++i) partial += static_cast<double>(i);
            return partial;
          });
      EXPECT_EQ(sum, static_cast<double>(count) * static_cast<double>(count - 1) / 2);
    }
  }
}

TEST(DoubleEntries, TheSoftThresholdMovesTowardsZero) {
  EXPECT_EQ(soft_threshold(3, 1), 2);
  EXPECT_EQ(soft_threshold(-3, 1), -2);
  EXPECT_EQ(soft_threshold(0.5, 1), 0);
  EXPECT_EQ(soft_threshold(-0.5, 0), -0.5);
}

}  // namespace
}  // namespace sunder
