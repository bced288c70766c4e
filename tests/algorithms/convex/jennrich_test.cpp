#include "algorithms/convex/jennrich.hpp"

#include <gtest/gtest.h>

#include "algorithms/entries_of.hpp"
#include "planted_problem.hpp"

namespace sunder {
namespace {

TEST(Jennrich, FindsTheComponentsOfAnExactTensorInTwoPasses) {
  for (const Shape& shape :
       {Shape{20, 25, 30}, Shape{3, 30, 30}, Shape{30, 4, 20}, Shape{10, 9, 8, 7}}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const CpModel truth = test::random_model(shape, 6, seed);
      const DenseTensor tensor = test::dense(truth);
      test::EntriesOf of(tensor);
      Rng rng(seed);
      const CpModel start = jennrich_start(of.entries, 6, rng);
      EXPECT_EQ(of.engine.passes(), 2);
      EXPECT_LE(start.distance(truth), 1e-8 * truth.norm())
          << to_string(shape) << ", seed " << seed;
    }
  }
}

TEST(Jennrich, GivesFiniteComponentsWhereItCannotSucceed) {
  for (const Shape& shape : {Shape{4, 4, 4}, Shape{12, 3, 3}, Shape{20, 15}}) {
    const DenseTensor tensor = test::dense(test::random_model(shape, 2, 1));
    test::EntriesOf of(tensor);
    Rng rng(1);
    const CpModel start = jennrich_start(of.entries, 6, rng);
    EXPECT_EQ(start.rank(), 6);
    for (const Matrix& factor : start.factors()) EXPECT_TRUE(factor.allFinite());
  }
}

}  // namespace
}  // namespace sunder
