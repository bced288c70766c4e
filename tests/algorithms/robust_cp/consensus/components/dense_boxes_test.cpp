#include "algorithms/robust_cp/consensus/components/dense_boxes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/random_order.hpp"

namespace sunder::robust {
namespace {

/// Entries of S everywhere, by chance.
SparseMarks uniform_marks(const Shape& shape, double share, std::uint64_t seed) {
  Rng rng(seed);
  SparseMarks marks{shape, std::vector<std::uint8_t>(shape.entries()), {}};
  for (std::uint8_t& mark : marks.sparse) mark = rng.bernoulli(share) ? 1 : 0;
  return marks;
}

/// Ten rows of each mode, not side by side, between which all entries are in S.
IndexSets add_box(SparseMarks& marks, std::uint64_t seed) {
  Rng rng(seed, 1);
  IndexSets sets;
  for (const Index extent : marks.shape) {
    std::vector<Index> set = draw_distinct(extent, 10, rng);
    std::ranges::sort(set);
    sets.push_back(set);
  }
  for (const Index i : sets[0]) {
    for (const Index j : sets[1]) {
      for (const Index k : sets[2]) {
        ModeIndices at{};
        at[0] = i;
        at[1] = j;
        at[2] = k;
        marks.sparse[marks.shape.linear(at)] = 1;
      }
    }
  }
  return sets;
}

std::vector<Box> boxes_in(const SparseMarks& marks) {
  Rng rng(1);
  return dense_boxes(marks, rng);
}

TEST(DenseBoxes, ABoxIsFoundAmongErrors) {
  for (const double share : {0.0, 0.2}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      SparseMarks marks = uniform_marks({20, 20, 20}, share, seed);
      const IndexSets sets = add_box(marks, seed);
      const std::vector<Box> boxes = boxes_in(marks);
      ASSERT_FALSE(boxes.empty()) << share << ' ' << seed;
      EXPECT_EQ(boxes.front().sets, sets) << share << ' ' << seed;
      EXPECT_EQ(boxes.front().sparse, 1000);
      EXPECT_EQ(boxes.front().known, 1000);
      EXPECT_TRUE(boxes.front().surprising());
    }
  }
}

TEST(DenseBoxes, ErrorsByChanceMakeNoBox) {
  for (const double share : {0.1, 0.3}) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      EXPECT_TRUE(boxes_in(uniform_marks({20, 20, 20}, share, seed)).empty())
          << share << ' ' << seed;
      EXPECT_TRUE(boxes_in(uniform_marks({40, 30}, share, seed)).empty()) << share << ' ' << seed;
    }
  }
}

TEST(DenseBoxes, MissingEntriesAreInNoBox) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SparseMarks marks = uniform_marks({20, 20, 20}, 0.1, seed);
    const IndexSets sets = add_box(marks, seed);
    Rng rng(seed, 2);
    marks.known.resize(8000);
    for (std::size_t i = 0; i < 8000; ++i) {
      marks.known[i] = rng.bernoulli(0.3) ? 0 : 1;
      marks.sparse[i] = marks.sparse[i] & marks.known[i];
    }
    const std::vector<Box> boxes = boxes_in(marks);
    ASSERT_FALSE(boxes.empty()) << seed;
    EXPECT_EQ(boxes.front().sets, sets) << seed;
    EXPECT_EQ(boxes.front().sparse, boxes.front().known);
    EXPECT_NEAR(static_cast<double>(boxes.front().known), 700, 60);
  }
}

/// A component on part of a fibre fits any entries there.
TEST(DenseBoxes, AFibreThatIsFullIsNoAccident) {
  SparseMarks marks = uniform_marks({20, 20, 20}, 0.05, 1);
  EXPECT_FALSE(has_dense_fibre(marks));
  for (Index i = 0; i < 14; ++i) marks.sparse[20 * i] = 1;
  EXPECT_TRUE(has_dense_fibre(marks));
  marks.known.assign(8000, 1);
  for (Index i = 0; i < 14; ++i) marks.known[20 * i] = 0;
  EXPECT_FALSE(has_dense_fibre(marks));
}

TEST(DenseBoxes, NothingIsFoundInNothing) {
  EXPECT_TRUE(boxes_in(uniform_marks({9, 9, 9}, 0, 1)).empty());
  EXPECT_TRUE(boxes_in(uniform_marks({9, 9, 9}, 1, 1)).empty());
}

}  // namespace
}  // namespace sunder::robust
