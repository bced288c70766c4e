#include "algorithms/run/last_pass.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "planted_problem.hpp"

namespace sunder {
namespace {

TEST(LastPass, ListsWhatReachesTheThreshold) {
  PlantedTensor planted = generate_planted(test::small_problem(1));
  double least = std::numeric_limits<double>::infinity();
  for (const double x : planted.sparse.values()) least = std::min(least, std::abs(x));
  Engine engine(planted.tensor.view(), 1);
  for (const bool collect : {true, false}) {
    Decomposition result;
    result.low_rank = planted.low_rank;
    find_sparse(engine, 0.5 * least, collect, result);
    EXPECT_EQ(result.sparse_count, planted.sparse.count());
    EXPECT_NEAR(result.sparse_norm, planted.sparse.norm(), 1e-12);
    EXPECT_EQ(result.sparse.count(), collect ? planted.sparse.count() : 0);
    EXPECT_EQ(result.missing_count, 0);
  }
  planted.tensor.typed<double>()[0] = std::numeric_limits<double>::quiet_NaN();
  Decomposition result;
  result.low_rank = planted.low_rank;
  find_sparse(engine, 1e9, true, result);
  EXPECT_EQ(result.sparse_count, 0);
  EXPECT_EQ(result.missing_count, 1);
}

}  // namespace
}  // namespace sunder
