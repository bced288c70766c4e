#include "algorithms/robust_cp/certificate/few_outliers.hpp"

#include <gtest/gtest.h>

#include "thread_communicator.hpp"

namespace sunder::robust {
namespace {

TEST(FewOutliers, KeepsWhatItHandsOn) {
  Index handed_on = 0;
  FewOutliers outliers;
  const SparseSink sink =
      outliers.watching([&](auto positions, auto) { handed_on += std::ssize(positions); });
  sink(std::vector<Index>{7, 9}, std::vector<double>{1, 2});
  sink(std::vector<Index>{3}, std::vector<double>{-1});
  EXPECT_EQ(handed_on, 3);
  const auto all = outliers.all(Shape{4, 5}, 3, SerialCommunicator());
  ASSERT_TRUE(all.has_value());
  EXPECT_EQ(std::vector<Index>(all->positions().begin(), all->positions().end()),
            (std::vector<Index>{3, 7, 9}));
  EXPECT_EQ(all->values()[0], -1);
  outliers.watching({});
  EXPECT_EQ(outliers.all(Shape{4, 5}, 0, SerialCommunicator())->count(), 0);
}

TEST(FewOutliers, GivesEveryProcessAllOfThem) {
  std::vector<Index> counts(3);
  test::run_ranks(3, [&](const std::shared_ptr<const Communicator>& communicator) {
    const auto rank = static_cast<std::size_t>(communicator->rank());
    FewOutliers outliers;
    if (rank > 0)
      outliers.watching({})(std::vector{Index{5} * communicator->rank()}, std::vector{2.5});
    counts[rank] = outliers.all(Shape{4, 5}, 2, *communicator)->count();
  });
  EXPECT_EQ(counts, (std::vector<Index>{2, 2, 2}));
}

TEST(FewOutliers, SaysWhenTheyAreMany) {
  FewOutliers outliers;
  constexpr Index many = (Index{1} << 20) + 1;
  const SparseSink sink = outliers.watching({});
  const std::vector<double> values(1000, 1);
  for (Index first = 0; first < many; first += 1000) {
    std::vector<Index> positions;
    for (Index k = 0; k < 1000; ++k) positions.push_back(first + k);
    sink(positions, values);
  }
  EXPECT_FALSE(outliers.all(Shape{many, 2}, many, SerialCommunicator()).has_value());
}

}  // namespace
}  // namespace sunder::robust
