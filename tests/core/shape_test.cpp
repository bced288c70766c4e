#include "sunder/core/shape.hpp"

#include <gtest/gtest.h>

#include "core/random_input.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

TEST(Shape, LinearAndUnravelAreInverse) {
  Rng random(1);
  for (int order = 0; order <= max_order; ++order) {
    const Shape shape = test::random_shape(order, 4, random);
    for (Index k = 0; k < shape.entries(); ++k) {
      const ModeIndices index = shape.unravel(k);
      ASSERT_EQ(shape.linear(index), k);
      for (int mode = 0; mode < order; ++mode) {
        ASSERT_LT(index[mode], shape[mode]);
      }
    }
  }
}

TEST(Shape, LastModeRunsFastest) {
  const Shape shape{2, 3, 4};
  EXPECT_EQ(shape.linear(std::array<Index, 3>{0, 0, 1}), 1);
  EXPECT_EQ(shape.linear(std::array<Index, 3>{0, 1, 0}), 4);
  EXPECT_EQ(shape.linear(std::array<Index, 3>{1, 2, 3}), 23);
}

TEST(Shape, CountsEntries) {
  EXPECT_EQ(Shape().entries(), 1);
  EXPECT_EQ(Shape().order(), 0);
  EXPECT_EQ((Shape{3, 0, 5}).entries(), 0);
  EXPECT_EQ((Shape{3, 4, 5}).entries(), 60);
  EXPECT_EQ((Shape{Index{1} << 31, Index{1} << 28}).entries(), Index{1} << 59);
}

TEST(Shape, ComparesOrderAndExtents) {
  EXPECT_EQ((Shape{2, 3}), (Shape{2, 3}));
  EXPECT_FALSE((Shape{2, 3}) == (Shape{3, 2}));
  EXPECT_FALSE((Shape{2, 3}) == (Shape{2, 3, 1}));
}

TEST(Shape, RejectsWhatCannotBeAddressed) {
  EXPECT_THROW((Shape{1, 1, 1, 1, 1, 1, 1, 1, 1}), InputError);
  EXPECT_THROW((Shape{2, -1}), InputError);
  EXPECT_THROW((Shape{Index{1} << 31, (Index{1} << 28) + 1}), InputError);
}

TEST(Shape, StridesOfAnEmptyShapeMustFitToo) {
  EXPECT_THROW((Shape{0, Index{1} << 40, Index{1} << 40}), InputError);
}

TEST(Shape, IsWrittenWithCrosses) { EXPECT_EQ(to_string(Shape{100, 80, 60}), "100 x 80 x 60"); }

TEST(Shape, DecomposableMeansOrderTwoAndNoEmptyMode) {
  EXPECT_NO_THROW(require_decomposable(Shape{1, 1}));
  EXPECT_NO_THROW(require_decomposable(Shape{2, 2, 2, 2, 2, 2, 2, 2}));
  EXPECT_THROW(require_decomposable(Shape{5}), InputError);
  EXPECT_THROW(require_decomposable(Shape{5, 0, 2}), InputError);
}

}  // namespace
}  // namespace sunder
