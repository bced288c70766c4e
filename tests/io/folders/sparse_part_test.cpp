#include "sunder/io/sparse_part.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "io/temporary_folder.hpp"

namespace sunder {
namespace {

class Collector final : public SparseReceiver {
 public:
  void begin(const Shape&, bool) override {}
  void add(std::span<const Index> p, std::span<const double> v) override {
    positions.insert(positions.end(), p.begin(), p.end());
    values.insert(values.end(), v.begin(), v.end());
  }
  std::vector<Index> positions;
  std::vector<double> values;
};

TEST(SparsePart, ComesBackAsItWasAndLeavesNoFile) {
  const testing::TemporaryFolder folder;
  SparsePart part(folder / "part");
  part.begin(Shape{1000, 1000}, false);
  part.add(std::vector<Index>{3}, std::vector<double>{1});
  part.begin(Shape{1000, 1000}, false);  // the first try was given up
  std::vector<Index> positions;
  std::vector<double> values;
  for (Index k = 0; k < 100'000; ++k) {
    positions.push_back((k * 7919) % 1'000'000);
    values.push_back(static_cast<double>(k) / 3);
  }
  part.add(std::span(positions).first(10), std::span(values).first(10));
  part.add(std::span(positions).subspan(10), std::span(values).subspan(10));
  part.finish();
  Collector collector;
  fetch_part(folder / "part", collector);
  EXPECT_EQ(collector.positions, positions);
  EXPECT_EQ(collector.values, values);
  EXPECT_TRUE(testing::names_in(folder.path()).empty());
}

TEST(SparsePart, MayBeEmpty) {
  const testing::TemporaryFolder folder;
  SparsePart part(folder / "part");
  part.finish();
  Collector collector;
  fetch_part(folder / "part", collector);
  EXPECT_TRUE(collector.positions.empty());
}

}  // namespace
}  // namespace sunder
