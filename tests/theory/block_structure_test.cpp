#include "sunder/theory/block_structure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sunder/core/error.hpp"
#include "sunder/data/planted.hpp"
#include "theory/block_support.hpp"

namespace sunder {
namespace {

using namespace testing;

std::vector<IndexSets> index_sets(const BlockStructure& found) {
  std::vector<IndexSets> sets;
  for (const SupportBlock& block : found.blocks) sets.push_back(block.indices);
  return sets;
}

/// The definition, without any cleverness.
double overlap_of(const std::vector<IndexSets>& blocks, Index extent) {
  Index largest = 0;
  for (std::size_t a = 0; a < blocks.size(); ++a) {
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      for (std::size_t mode = 0; a != b && mode < blocks[a].size(); ++mode) {
        Index common = 0;
        for (const Index i : blocks[a][mode]) common += std::ranges::count(blocks[b][mode], i);
        largest = std::max(largest, common);
      }
    }
  }
  return static_cast<double>(largest) / static_cast<double>(extent);
}

struct Planted {
  Shape shape;
  int blocks;
  std::vector<Index> extents;
  bool symmetric;
};

class KnownBlocks : public ::testing::TestWithParam<Planted> {};

TEST_P(KnownBlocks, AreFoundExactly) {
  const Planted& planted = GetParam();
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U}) {
    const std::vector<IndexSets> blocks =
        random_blocks(planted.shape, planted.blocks, planted.extents, planted.symmetric, seed);
    const SparseTensor sparse = union_of(planted.shape, blocks, seed);
    const BlockStructure found = find_blocks(sparse);
    EXPECT_THAT(index_sets(found), ::testing::UnorderedElementsAreArray(blocks)) << seed;
    EXPECT_EQ(found.largest_extent, std::ranges::max(planted.extents));
    EXPECT_DOUBLE_EQ(found.overlap, overlap_of(blocks, found.largest_extent));
    EXPECT_EQ(found.covered, sparse.count());
    EXPECT_EQ(found.coverage, 1);
    EXPECT_TRUE(found.structured());
  }
}

INSTANTIATE_TEST_SUITE_P(Theory, KnownBlocks,
                         ::testing::Values(Planted{{40, 40, 40}, 1, {7, 7, 7}, true},
                                           Planted{{40, 40, 40}, 6, {8, 8, 8}, true},
                                           Planted{{50, 50, 50}, 10, {15, 15, 15}, true},
                                           Planted{{50, 50, 50}, 10, {15, 15, 15}, false},
                                           Planted{{60, 40, 30}, 5, {12, 9, 5}, false},
                                           Planted{{60, 40, 30}, 20, {4, 9, 5}, false},
                                           Planted{{30, 90, 30}, 4, {3, 60, 2}, false},
                                           Planted{{60, 50}, 3, {10, 12}, false},
                                           Planted{{14, 15, 16, 17}, 5, {4, 4, 5, 4}, false},
                                           Planted{{30, 30, 30}, 3, {3, 3, 3}, true}),
                         [](const auto& planted) {
                           return "Case" + std::to_string(planted.index);
                         });

/// The hardest setting of the paper's figures: with d/n = .4 nearly half of the tensor is covered,
/// and four fibres of five cross several blocks.
TEST(BlockStructure, TheGeneratorsBlocks) {
  for (const double density : {0.1, 0.2, 0.4}) {
    for (const bool symmetric : {false, true}) {
      PlantedOptions options;
      options.shape = {60, 60, 60};
      options.support = Support::block;
      options.blocks = 10;
      options.density = density;
      options.symmetric = symmetric;
      const SparseTensor sparse = generate_planted(options).sparse;
      const BlockStructure found = find_blocks(sparse);
      EXPECT_EQ(found.blocks.size(), 10U) << density << symmetric;
      EXPECT_EQ(found.coverage, 1) << density << symmetric;
      for (const SupportBlock& block : found.blocks) EXPECT_EQ(block.entries, block.cells());
    }
  }
}

TEST(BlockStructure, AScatteredSupportHasNone) {
  for (const double density : {0.001, 0.01, 0.1, 0.3, 0.6}) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const BlockStructure found = find_blocks(scattered({40, 40, 40}, density, seed));
      EXPECT_TRUE(found.blocks.empty()) << density << ' ' << seed;
      EXPECT_EQ(found.coverage, 0);
      EXPECT_EQ(found.largest_extent, 0);
      EXPECT_FALSE(found.structured());
    }
  }
}

TEST(BlockStructure, BlocksAmongScatteredEntries) {
  const Shape shape{40, 40, 40};
  const std::vector<IndexSets> blocks = random_blocks(shape, 4, {9, 9, 9}, false, 3);
  const SparseTensor noise = scattered(shape, 0.004, 3);
  std::set<Index> positions(noise.positions().begin(), noise.positions().end());
  for (const IndexSets& block : blocks) positions.merge(testing::cells_of(shape, block));
  const BlockStructure found = find_blocks(testing::with_values(shape, positions, 1));
  EXPECT_THAT(index_sets(found), ::testing::UnorderedElementsAreArray(blocks));
  EXPECT_LT(found.coverage, 0.95);
  EXPECT_FALSE(found.structured());
  EXPECT_TRUE(found.structured(0.8));
}

/// S may be zero somewhere inside a block; with fill 1 it may not.
TEST(BlockStructure, HolesInABlock) {
  const Shape shape{40, 40, 40};
  const std::vector<IndexSets> blocks = random_blocks(shape, 3, {12, 12, 12}, false, 5);
  std::set<Index> positions;
  for (const IndexSets& block : blocks) {
    std::set<Index> cells = testing::cells_of(shape, block);
    cells.erase(std::next(cells.begin(), 100));
    cells.erase(std::next(cells.begin(), 1000));
    positions.merge(cells);
  }
  const SparseTensor sparse = testing::with_values(shape, positions, 1);
  EXPECT_THAT(index_sets(find_blocks(sparse)), ::testing::UnorderedElementsAreArray(blocks));
  BlockOptions strict;
  strict.fill = 1;
  const BlockStructure full = find_blocks(sparse, strict);
  EXPECT_GT(full.blocks.size(), 3U);
  for (const SupportBlock& block : full.blocks) EXPECT_EQ(block.entries, block.cells());
}

TEST(BlockStructure, EmptySupportsAndFullOnes) {
  const BlockStructure none = find_blocks(SparseTensor({5, 6, 7}));
  EXPECT_TRUE(none.blocks.empty());
  EXPECT_EQ(none.coverage, 1);
  const BlockStructure all = find_blocks(scattered({5, 6, 7}, 1, 1));
  ASSERT_EQ(all.blocks.size(), 1U);
  EXPECT_EQ(all.blocks[0].cells(), 210);
  EXPECT_EQ(all.largest_extent, 7);
  EXPECT_EQ(all.overlap, 0);
}

/// The names of the indices mean nothing.
TEST(BlockStructure, InvariantUnderPermutation) {
  const Shape shape{40, 30, 20};
  std::vector<IndexSets> blocks = random_blocks(shape, 5, {8, 7, 6}, false, 11);
  const BlockStructure before = find_blocks(union_of(shape, blocks, 1));
  for (IndexSets& block : blocks) {
    for (Index& i : block[0]) i = 39 - i;
    std::ranges::reverse(block[0]);
    for (Index& j : block[1]) j = (j * 7 + 3) % 30;
    std::ranges::sort(block[1]);
  }
  const BlockStructure after = find_blocks(union_of(shape, blocks, 1));
  EXPECT_THAT(index_sets(after), ::testing::UnorderedElementsAreArray(blocks));
  EXPECT_EQ(after.overlap, before.overlap);
}

TEST(BlockStructure, AMillionEntriesAndCancelling) {
  const Shape shape{400, 400, 400};
  const SparseTensor sparse = union_of(shape, random_blocks(shape, 12, {44, 44, 44}, false, 1), 1);
  ASSERT_GT(sparse.count(), 900'000);
  const BlockStructure found = find_blocks(sparse);
  EXPECT_EQ(found.blocks.size(), 12U);
  EXPECT_EQ(found.largest_extent, 44);
  BlockOptions options;
  int calls = 0;
  options.progress = [&](const Progress&) {
    return ++calls < 3 ? Continue::yes : Continue::cancel;
  };
  EXPECT_THROW(find_blocks(sparse, options), Cancelled);
  EXPECT_EQ(calls, 3);
}

TEST(BlockStructure, RefusesAnImpossibleFill) {
  BlockOptions options;
  for (const double fill : {0.0, 1.5, std::nan("")}) {
    options.fill = fill;
    EXPECT_THROW(find_blocks(SparseTensor({2, 2}), options), OptionError);
  }
}

}  // namespace
}  // namespace sunder
