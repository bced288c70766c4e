#include "algorithms/robust_cp/core/sampling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/error.hpp"

namespace sunder::robust {
namespace {

TEST(Sampling, ShortModesAreKeptWholeAndTheOthersGrow) {
  EXPECT_EQ(core_shape({100, 100, 100}, 5, 30), (Shape{30, 30, 30}));
  EXPECT_EQ(core_shape({20, 20, 20}, 5, 30), (Shape{20, 20, 20}));
  const Shape core = core_shape({3, 500, 500}, 2, 30);
  EXPECT_EQ(core[0], 3);
  EXPECT_GE(core.entries(), 27'000);
  EXPECT_LT(core.entries(), 29'000);
}

TEST(Sampling, EveryRowHasMoreEntriesThanUnknowns) {
  EXPECT_EQ(core_shape({200, 200, 200}, 25, 30), (Shape{60, 60, 60}));
  EXPECT_EQ(least_extent(25), 60);
}

TEST(Sampling, IndicesAreDistinctAndInOrder) {
  Rng rng(1);
  const IndexSets sets = draw_indices({50, 40, 30}, {20, 40, 5}, rng);
  for (std::size_t m = 0; m < 3; ++m) {
    EXPECT_TRUE(std::is_sorted(sets[m].begin(), sets[m].end()));
    EXPECT_EQ(std::adjacent_find(sets[m].begin(), sets[m].end()), sets[m].end());
  }
  EXPECT_EQ(sets[0].size(), 20U);
  EXPECT_EQ(sets[1].back(), 39);
}

class SampledTensor : public testing::Test {
 protected:
  SampledTensor() : tensor_(Shape{4, 5, 6}) {
    double value = 0;
    for (double& x : tensor_.typed<double>()) x = ++value;
  }
  double& at(Index i, Index j, Index k) { return tensor_.typed<double>()[(i * 5 + j) * 6 + k]; }
  DenseTensor tensor_;
  const IndexSets sets_{{0, 2}, {1, 4}, {0, 3, 5}};
};

TEST_F(SampledTensor, ACoreHasTheEntriesOfTheSets) {
  at(2, 4, 3) = std::nan("");
  Engine engine(tensor_.view(), 1);
  const DenseCore core = gather_core(engine, sets_);
  EXPECT_EQ(core.shape, (Shape{2, 2, 3}));
  EXPECT_EQ(core.values[0], at(0, 1, 0));
  EXPECT_EQ(core.values[11], at(2, 4, 5));
  EXPECT_EQ(core.observed.sum(), 11);
  EXPECT_EQ(core.values[10], 0);
}

TEST_F(SampledTensor, InfiniteEntriesAreRefusedByTheirPlace) {
  at(2, 4, 3) = std::numeric_limits<double>::infinity();
  Engine engine(tensor_.view(), 1);
  try {
    gather_core(engine, sets_);
    FAIL() << "an infinite entry was taken";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("(2, 4, 3)"), std::string::npos) << error.what();
  }
}

TEST_F(SampledTensor, StrayBitsAreMerelyFarBeyondTheOthers) {
  at(2, 4, 3) = 1e300;
  Engine engine(tensor_.view(), 1);
  const DenseCore core = gather_core(engine, sets_);
  EXPECT_TRUE(std::isfinite(core.values.square().sum()));
  EXPECT_GT(core.values[10], 1e30);
}

TEST_F(SampledTensor, RowsAreFibresWithTheCoreAsDesign) {
  Factors core;
  Rng rng(2);
  for (const Index extent : {2, 2, 3}) {
    core.emplace_back(Matrix::NullaryExpr(extent, 2, [&] { return rng.normal(); }));
  }
  Engine engine(tensor_.view(), 1);
  const std::vector<Index> rows = {1, 3};
  const std::vector<Index> columns = {2, 4};
  const RowProblem problem = gather_rows(engine, sets_, core, 1, 2, columns, rows);
  EXPECT_EQ(problem.values(0, 0), at(0, 1, 5) / 2);
  EXPECT_EQ(problem.values(1, 1), at(2, 3, 3) / 2);
  EXPECT_EQ(problem.design.row(0), core[0].row(0).cwiseProduct(core[2].row(2)));
}

}  // namespace
}  // namespace sunder::robust
