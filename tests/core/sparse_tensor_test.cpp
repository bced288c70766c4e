#include "sunder/core/sparse_tensor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sunder/core/error.hpp"

namespace sunder {
namespace {

using testing::ElementsAre;

TEST(SparseTensor, SortsByPosition) {
  const SparseTensor sparse(Shape{2, 3}, {5, 0, 3}, {50, 10, 30});
  EXPECT_THAT(sparse.positions(), ElementsAre(0, 3, 5));
  EXPECT_THAT(sparse.values(), ElementsAre(10, 30, 50));
  EXPECT_EQ(sparse.count(), 3);
  EXPECT_EQ(sparse.coordinates(2)[0], 1);
  EXPECT_EQ(sparse.coordinates(2)[1], 2);
}

TEST(SparseTensor, Norm) {
  EXPECT_EQ(SparseTensor(Shape{2, 2}).norm(), 0);
  EXPECT_DOUBLE_EQ(SparseTensor(Shape{2, 2}, {0, 3}, {3, -4}).norm(), 5);
}

TEST(SparseTensor, RejectsBadCoordinates) {
  EXPECT_THROW(SparseTensor(Shape{2, 2}, {4}, {1}), InputError);
  EXPECT_THROW(SparseTensor(Shape{2, 2}, {-1}, {1}), InputError);
  EXPECT_THROW(SparseTensor(Shape{2, 2}, {1, 0, 1}, {1, 2, 3}), InputError);
  EXPECT_THROW(SparseTensor(Shape{2, 2}, {1, 2}, {1}), InputError);
}

TEST(SparseTensor, ComparesSupports) {
  const Shape shape{10};
  const SparseTensor truth(shape, {1, 2, 3, 4}, {1, 1, 1, 1});
  const SparseTensor found(shape, {0, 2, 4, 6, 9}, {1, 1, 1, 1, 1});
  const SupportScore score = compare_support(found, truth);
  EXPECT_DOUBLE_EQ(score.precision, 0.4);
  EXPECT_DOUBLE_EQ(score.recall, 0.5);
}

TEST(SparseTensor, EmptySupportsScoreOneWhereNothingCanBeWrong) {
  const SparseTensor empty(Shape{10});
  const SparseTensor one(Shape{10}, {4}, {1});
  EXPECT_EQ(compare_support(empty, empty).precision, 1);
  EXPECT_EQ(compare_support(empty, empty).recall, 1);
  EXPECT_EQ(compare_support(empty, one).precision, 1);
  EXPECT_EQ(compare_support(empty, one).recall, 0);
  EXPECT_EQ(compare_support(one, empty).precision, 0);
  EXPECT_EQ(compare_support(one, empty).recall, 1);
}

}  // namespace
}  // namespace sunder
