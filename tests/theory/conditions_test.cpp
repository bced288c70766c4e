#include "sunder/theory/conditions.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace sunder {
namespace {

TEST(Conditions, SizeOfAShape) {
  EXPECT_DOUBLE_EQ(embedding_constant({50, 50, 50}), 1);
  EXPECT_DOUBLE_EQ(embedding_constant({40, 10, 10}), std::sqrt(2.0));
  const ProblemSize size = problem_size({40, 10, 10}, 3, 1.5);
  EXPECT_NEAR(std::pow(size.n, 3), 4000, 1e-9);
  EXPECT_EQ(size.rank, 3);
  EXPECT_DOUBLE_EQ(size.mu, 1.5 * std::sqrt(2.0));
}

/// Numbers chosen so that the powers come out whole.
TEST(Conditions, ConditionS) {
  EXPECT_NEAR(allowed_block_extent({1000, 1, 1}), 100, 1e-9);
  EXPECT_NEAR(allowed_block_extent({1000, 8, 1}), 25, 1e-9);
  EXPECT_NEAR(allowed_block_extent({1000, 1, 2}), 25, 1e-9);
  EXPECT_NEAR(allowed_block_count({1000, 8, 3}, 0), 200, 1e-9);
  EXPECT_NEAR(allowed_block_count({1000, 8, 3}, 0.25), 8, 1e-9);
  EXPECT_NEAR(allowed_block_count({1000, 1, 3}, 0.0001), 100, 1e-9);
}

TEST(Conditions, OfAStructure) {
  BlockStructure blocks;
  blocks.blocks.resize(8);
  blocks.largest_extent = 25;
  blocks.overlap = 0.25;
  EXPECT_TRUE(block_conditions({1000.001, 8, 1}, blocks).hold());
  EXPECT_FALSE(block_conditions({1000, 8, 1.01}, blocks).extent.holds());
  blocks.blocks.resize(9);
  EXPECT_FALSE(block_conditions({1000.001, 8, 1}, blocks).hold());
  EXPECT_DOUBLE_EQ(block_conditions({1000, 8, 1}, blocks).count.ratio(), 9.0 / 8);
  blocks.blocks.resize(1);
  blocks.coverage = 0.5;
  EXPECT_FALSE(block_conditions({1000.001, 8, 1}, blocks).hold());
}

TEST(Conditions, WithoutStructureMatricesTolerateMore) {
  EXPECT_DOUBLE_EQ(allowed_fibre_tensor({100, 2, 1}), 5);
  EXPECT_DOUBLE_EQ(allowed_fibre_matrix({100, 2, 1}), 50);
  EXPECT_DOUBLE_EQ(allowed_fibre_tensor({10000, 1, 2}), 12.5);
  EXPECT_DOUBLE_EQ(allowed_fibre_matrix({10000, 1, 2}), 2500);
}

TEST(Conditions, ThresholdAndIterations) {
  const ProblemSize size{100, 5, 2};
  EXPECT_DOUBLE_EQ(threshold_scale(size), 0.16);
  EXPECT_DOUBLE_EQ(iterations_per_stage(size, 3, 1e-6).value(), 10 * std::log(48e6));
  EXPECT_EQ(iterations_per_stage(size, 3, 1e6).value(), 0);
  EXPECT_FALSE(iterations_per_stage(size, 0, 1e-6).has_value());
  EXPECT_FALSE(iterations_per_stage(size, 3, 0).has_value());
}

/// The corollary follows from (S) with random blocks: both of its cases, and where they meet.
TEST(Conditions, TheCorollaryIsThatOfRandomBlocks) {
  for (const double n : {16.0, 100.0, 1000.0, 1e5}) {
    for (const double rank : {1.0, 2.0, 5.0, 25.0, 100.0}) {
      const ToleratedSparsity tolerated = tolerated_sparsity({n, rank, 1});
      EXPECT_NEAR(tolerated.ratio() / tensor_advantage(n, rank), 1, 1e-9) << n << ' ' << rank;
      EXPECT_DOUBLE_EQ(tolerated.matrix, n / rank);
    }
  }
  EXPECT_NEAR(tensor_advantage(1e4, 10 - 1e-9), tensor_advantage(1e4, 10), 1e-6);
  EXPECT_NEAR(tensor_advantage(1e6, 1), 10, 1e-9);
  EXPECT_NEAR(tensor_advantage(1e12, 1e3), 1e6, 1e-3);
}

TEST(Conditions, Table) {
  const std::vector<Advantage> table = advantage_table({10, 100}, {1, 50});
  ASSERT_EQ(table.size(), 3U);
  EXPECT_EQ(table[2].n, 100);
  EXPECT_EQ(table[2].rank, 50);
  EXPECT_EQ(table[2].ratio, tensor_advantage(100, 50));
}

TEST(Conditions, NothingMeasuredIsAlwaysAllowed) {
  EXPECT_EQ((Margin{0, 0}).ratio(), 0);
  EXPECT_TRUE((Margin{0, 0}).holds());
  EXPECT_FALSE((Margin{1, 0}).holds());
}

}  // namespace
}  // namespace sunder
