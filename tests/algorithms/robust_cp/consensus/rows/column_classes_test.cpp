#include "algorithms/robust_cp/consensus/rows/column_classes.hpp"

#include <gtest/gtest.h>

namespace sunder::robust {
namespace {

TEST(ColumnClasses, ColumnsWithTheSameZerosAreOneClass) {
  Matrix design(5, 3);
  design << 1, 2, 3,  //
      4, 0, 5,        //
      6, 7, 8,        //
      0, 0, 0,        //
      9, 0, -1;
  const ColumnClasses classes(design);
  EXPECT_EQ(classes.count(), 3);
  EXPECT_EQ(classes.of(0), classes.of(2));
  EXPECT_EQ(classes.of(1), classes.of(4));
  EXPECT_NE(classes.of(0), classes.of(1));
  Matrix alive(2, 2);
  alive << 4, 5, 9, -1;
  EXPECT_EQ(classes.alive_part(design, classes.of(1)), alive);
  EXPECT_EQ(classes.alive_part(design, classes.of(3)).cols(), 0);
  EXPECT_EQ(classes.alive_part(design, classes.of(0)).rows(), 2);
}

/// What a regression leaves of a zero, in the unit of each component.
TEST(ColumnClasses, RoundingIsZero) {
  Matrix design(3, 2);
  design << 1, 1e-12,  //
      1, 1e-23,        //
      1, 1e-12;
  const ColumnClasses classes(design);
  EXPECT_EQ(classes.count(), 2);
  EXPECT_EQ(classes.of(0), classes.of(2));
}

}  // namespace
}  // namespace sunder::robust
