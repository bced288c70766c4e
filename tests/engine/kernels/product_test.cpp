#include "engine/kernels/product.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <string>

#include "sunder/core/rng.hpp"

namespace sunder::kernels {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

TEST(Product, AgreesWithTheReferenceForAnyStorage) {
  Rng rng(11);
  for (const Index rows : {1, 3, 4, 5, 17}) {
    for (const Index columns : {1, 7, 12, 23, 24, 25, 130, 500}) {
      for (const Index depth : {0, 1, 2, 31, 128, 129, 300}) {
        SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(depth) + " x " +
                     std::to_string(columns));
        const RowMajor a = RowMajor::NullaryExpr(rows, depth, [&] { return rng.normal(); });
        const RowMajor b = RowMajor::NullaryExpr(depth, columns, [&] { return rng.normal(); });
        const Eigen::MatrixXd a_columns = a;
        const Eigen::MatrixXd b_columns = b;
        const MatrixView by_rows[2] = {{a.data(), rows, depth, depth, 1},
                                       {b.data(), depth, columns, columns, 1}};
        const MatrixView by_columns[2] = {{a_columns.data(), rows, depth, 1, rows},
                                          {b_columns.data(), depth, columns, 1, depth}};
        for (const bool add : {false, true}) {
          const RowMajor before = RowMajor::Constant(rows, columns + 2, 0.5);
          RowMajor expected = before;
          reference::multiply(by_rows[0], by_rows[1], expected.data(), columns + 2, add);
          RowMajor c = before;
          multiply(by_rows[0], by_rows[1], c.data(), columns + 2, add);
          EXPECT_LT((c - expected).norm(), 1e-13 * (1 + expected.norm()));
          RowMajor other = before;
          multiply(by_columns[0], by_columns[1], other.data(), columns + 2, add);
          EXPECT_EQ(c, other);
          EXPECT_EQ(c.rightCols(2), before.rightCols(2));
          if (add) continue;
          RowMajor across(columns, rows);
          multiply(by_rows[1].transposed(), by_rows[0].transposed(), across.data(), rows);
          EXPECT_EQ(c.leftCols(columns), across.transpose());
        }
      }
    }
  }
}

}  // namespace
}  // namespace sunder::kernels
