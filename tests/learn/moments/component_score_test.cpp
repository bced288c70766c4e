#include "sunder/learn/component_score.hpp"

#include <gtest/gtest.h>

#include "sunder/core/error.hpp"

namespace sunder {
namespace {

TEST(ComponentScore, MatchesBeforeItMeasures) {
  Matrix truth(2, 2);
  truth << 1, 0, 0, 1;
  Matrix found(2, 2);
  found << 0.1, 1, 0.9, 0;  // the second, a little off, then the first
  const ComponentScore l1 = score_components(found, truth, ColumnDistance::l1);
  EXPECT_EQ(l1.partner, (std::vector<int>{1, 0}));
  EXPECT_NEAR(l1.error[0], 0.2, 1e-15);
  EXPECT_NEAR(l1.mean_error, 0.1, 1e-15);
  const ComponentScore l2 = score_components(found, truth, ColumnDistance::euclidean);
  EXPECT_NEAR(l2.error[0], 0.1 * std::sqrt(2.0), 1e-15);
  EXPECT_THROW(score_components(found, Matrix::Zero(3, 2), ColumnDistance::l1), InputError);
}

}  // namespace
}  // namespace sunder
