#include "algorithms/run/sparse_part.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "planted_problem.hpp"
#include "sparse_collector.hpp"

namespace sunder {
namespace {

RunOptions listing(bool collect) {
  RunOptions run;
  run.collect_sparse = collect;
  return run;
}

RunOptions streaming_to(SparseReceiver& receiver) {
  RunOptions run;
  run.sparse_receiver = &receiver;
  return run;
}

TEST(SparsePart, ListsWhatReachesTheThreshold) {
  PlantedTensor planted = generate_planted(test::small_problem(1));
  double least = std::numeric_limits<double>::infinity();
  for (const double x : planted.sparse.values()) least = std::min(least, std::abs(x));
  Engine engine(planted.tensor.view(), 1);
  for (const bool collect : {true, false}) {
    Decomposition result;
    result.low_rank = planted.low_rank;
    find_sparse(engine, 0.5 * least, listing(collect), result);
    EXPECT_EQ(result.sparse_count, planted.sparse.count());
    EXPECT_NEAR(result.sparse_norm, planted.sparse.norm(), 1e-12);
    EXPECT_EQ(result.sparse.count(), collect ? planted.sparse.count() : 0);
    EXPECT_EQ(result.missing_count, 0);
  }
  planted.tensor.typed<double>()[0] = std::numeric_limits<double>::quiet_NaN();
  Decomposition result;
  result.low_rank = planted.low_rank;
  find_sparse(engine, 1e9, {}, result);
  EXPECT_EQ(result.sparse_count, 0);
  EXPECT_EQ(result.missing_count, 1);
}

TEST(SparsePart, GoesToTheReceiverInsteadOfTheResult) {
  const PlantedTensor planted = generate_planted(test::small_problem(1));
  Engine engine(planted.tensor.view(), 1);
  test::Collector receiver;
  Decomposition streamed;
  streamed.low_rank = planted.low_rank;
  find_sparse(engine, 1e-6, streaming_to(receiver), streamed);
  Decomposition listed = streamed;
  find_sparse(engine, 1e-6, {}, listed);
  EXPECT_EQ(streamed.sparse.count(), 0);
  EXPECT_TRUE(std::ranges::equal(receiver.positions, listed.sparse.positions()));
  deliver_sparse(streaming_to(receiver), listed);
  EXPECT_EQ(listed.sparse.count(), 0);
  EXPECT_EQ(std::ssize(receiver.values), streamed.sparse_count);
}

TEST(SparsePart, ADenseSIsListedWhereItIsObservedAndLarge) {
  const std::vector<double> entries{3, 0, -0.5, std::numeric_limits<double>::quiet_NaN(), -4, 1};
  const auto entry = [&](Index i) { return entries[i]; };
  for (const bool collect : {true, false}) {
    Decomposition result;
    list_sparse(Shape{2, 3}, 1, listing(collect), entry, result);
    EXPECT_EQ(result.sparse_count, 2);
    EXPECT_EQ(result.sparse_norm, 5);
    EXPECT_EQ(result.sparse.count(), collect ? 2 : 0);
  }
}

}  // namespace
}  // namespace sunder
