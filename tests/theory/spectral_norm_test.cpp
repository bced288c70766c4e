#include "sunder/theory/spectral_norm.hpp"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cmath>

#include "planted_problem.hpp"
#include "sunder/core/error.hpp"
#include "theory/block_support.hpp"

namespace sunder {
namespace {

using testing::IndexSets;

/// sigma u o v o w on a block, signs and sizes varied.
SparseTensor rank_one(const Shape& shape, const IndexSets& block, double sigma,
                      std::uint64_t seed) {
  Rng rng(seed, 3);
  std::vector<Vector> vectors;
  for (int mode = 0; mode < shape.order(); ++mode) {
    Vector v = Vector::Zero(shape[mode]);
    for (const Index i : block[mode]) v[i] = rng.normal();
    vectors.emplace_back(v.normalized());
  }
  const std::set<Index> cells = testing::cells_of(shape, block);
  std::vector<double> values;
  for (const Index cell : cells) {
    const ModeIndices index = shape.unravel(cell);
    double value = sigma;
    for (std::size_t mode = 0; mode < vectors.size(); ++mode) value *= vectors[mode][index[mode]];
    values.push_back(value);
  }
  return {shape, {cells.begin(), cells.end()}, std::move(values)};
}

TEST(SpectralNorm, OfRankOneIsItsWeight) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    for (const Shape& shape : {Shape{20, 25, 30}, Shape{12, 12, 12, 12}}) {
      const std::vector<Index> extents = {5, 6, 4, 3};
      const auto blocks = testing::random_blocks(shape, 1, extents, false, seed);
      EXPECT_NEAR(estimate_spectral_norm(rank_one(shape, blocks[0], 3.5, seed)), 3.5, 1e-9);
    }
  }
}

/// Order 2 has an answer.
TEST(SpectralNorm, OfAMatrixIsItsLargestSingularValue) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Shape shape{30, 20};
    const CpModel low_rank = test::random_model(shape, 2, seed);
    const SparseTensor sparse = testing::scattered(shape, 0.2, seed);
    Matrix dense = Matrix::Zero(30, 20);
    for (Index k = 0; k < sparse.count(); ++k) {
      const ModeIndices at = sparse.coordinates(k);
      dense(at[0], at[1]) += sparse.values()[k];
    }
    EXPECT_NEAR(estimate_spectral_norm(sparse), dense.bdcSvd().singularValues()[0], 1e-5);
    for (Index i = 0; i < 30; ++i) {
      for (Index j = 0; j < 20; ++j) dense(i, j) += low_rank.entry({i, j});
    }
    const double expected = dense.bdcSvd().singularValues()[0];
    EXPECT_NEAR(estimate_spectral_norm(low_rank, sparse), expected, 1e-5 * expected);
  }
}

TEST(SpectralNorm, BetweenTheLargestEntryAndTheFrobeniusNorm) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U}) {
    const SparseTensor sparse = testing::scattered({20, 15, 18}, 0.1, seed);
    const double norm = estimate_spectral_norm(sparse);
    EXPECT_GE(norm, largest_magnitude(sparse));
    EXPECT_LE(norm, sparse.norm() * (1 + 1e-12));
  }
}

TEST(SpectralNorm, OrthogonalComponentsDoNotAdd) {
  PlantedOptions options = test::small_problem(1);
  options.weights = WeightKind::decaying;
  const CpModel low_rank = generate_planted(options).low_rank;
  EXPECT_NEAR(estimate_spectral_norm(low_rank, SparseTensor(options.shape)), 1, 1e-9);
}

TEST(SpectralNorm, BoundsOfBlockSupports) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    for (const bool symmetric : {false, true}) {
      const Shape shape{40, 40, 40};
      const auto blocks = testing::random_blocks(shape, 8, {6, 6, 6}, symmetric, seed);
      const SparseTensor signs = testing::union_of(shape, blocks, seed);
      // Equal values of one sign: the largest norm that the support can have.
      const SparseTensor ones(shape, {signs.positions().begin(), signs.positions().end()},
                              std::vector<double>(signs.values().size(), 0.5));
      const BlockStructure found = find_blocks(signs);
      ASSERT_EQ(found.blocks.size(), 8U);
      const double bound = certain_spectral_bound(ones, found);
      EXPECT_LE(estimate_spectral_norm(ones, found), bound);
      EXPECT_LE(estimate_spectral_norm(signs, found), certain_spectral_bound(signs, found));
      EXPECT_DOUBLE_EQ(lemma_spectral_bound(ones, found), std::pow(6, 1.5) * 0.5);
      // The lemma up to a constant: blocks that hardly overlap stay near one block's norm.
      EXPECT_GE(estimate_spectral_norm(ones, found), lemma_spectral_bound(ones, found) - 1e-9);
      EXPECT_LE(estimate_spectral_norm(ones, found), 2 * lemma_spectral_bound(ones, found));
    }
  }
}

/// Disjoint blocks: the lemma with the constant 1 is an equality for equal values.
TEST(SpectralNorm, OfDisjointBlocksIsThatOfTheLemma) {
  const Shape shape{12, 12, 12};
  const std::vector<Index> low = {0, 1, 2, 3};
  const std::vector<Index> high = {8, 9, 10, 11};
  std::set<Index> cells = testing::cells_of(shape, {low, low, low});
  cells.merge(testing::cells_of(shape, {high, high, high}));
  const SparseTensor sparse(shape, {cells.begin(), cells.end()},
                            std::vector<double>(cells.size(), -2));
  const BlockStructure found = find_blocks(sparse);
  EXPECT_NEAR(estimate_spectral_norm(sparse, found), 16, 1e-9);
  EXPECT_DOUBLE_EQ(lemma_spectral_bound(sparse, found), 16);
  EXPECT_DOUBLE_EQ(certain_spectral_bound(sparse, found), 16);
}

TEST(SpectralNorm, SameSeedSameBits) {
  const SparseTensor sparse = testing::scattered({20, 15, 18}, 0.1, 1);
  SpectralNormOptions options;
  options.seed = 7;
  EXPECT_EQ(estimate_spectral_norm(sparse, {}, options),
            estimate_spectral_norm(sparse, {}, options));
}

TEST(SpectralNorm, OfNothingAndOfMistakes) {
  EXPECT_EQ(estimate_spectral_norm(SparseTensor({4, 5, 6})), 0);
  EXPECT_EQ(largest_magnitude(SparseTensor({4, 5, 6})), 0);
  EXPECT_THROW(estimate_spectral_norm(CpModel::zero({4, 5, 6}), SparseTensor({4, 5, 7})),
               InputError);
  SpectralNormOptions options;
  options.progress = [](const Progress&) { return Continue::cancel; };
  EXPECT_THROW(estimate_spectral_norm(SparseTensor({4, 5, 6}), {}, options), Cancelled);
}

}  // namespace
}  // namespace sunder
