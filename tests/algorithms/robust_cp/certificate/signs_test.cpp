#include "algorithms/robust_cp/certificate/signs.hpp"

#include <gtest/gtest.h>

#include "planted_problem.hpp"

namespace sunder::robust {
namespace {

Factors random_factors(const Shape& shape, int rank, std::uint64_t seed) {
  return test::random_model(shape, rank, seed).factors();
}

Entries all_of(const Shape& shape) { return Entries::Ones(shape.entries()); }

Entries some_of(const Shape& shape, double share, std::uint64_t seed) {
  Rng rng(seed);
  Entries marked = all_of(shape);
  for (double& mark : marked) mark = rng.bernoulli(share) ? 1 : 0;
  return marked;
}

bool determined(const Shape& shape, const Factors& factors, const Entries& fitted,
                const Constraints& constraints = {}) {
  Rng rng(7);
  return signs_are_determined(shape, factors, fitted, 1e-12, ModeConstraints(constraints, shape),
                              rng);
}

TEST(Signs, EntriesHereAndThereDetermineThem) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    for (const Shape& shape : {Shape{9, 8, 7}, Shape{30, 20}, Shape{5, 6, 7, 4}}) {
      const Factors factors = random_factors(shape, 3, seed);
      EXPECT_TRUE(determined(shape, factors, all_of(shape))) << seed;
      EXPECT_TRUE(determined(shape, factors, some_of(shape, 0.3, seed))) << seed;
    }
  }
}

/// As a sensor that cannot show anything above zero leaves them: |rows|, and the sign of all of
/// them, fit as well.
TEST(Signs, NegativeEntriesAloneDoNot) {
  const Shape shape{9, 8, 7};
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Factors factors = random_factors(shape, 1, seed);
    const Entries negative = (evaluate(factors) < 0).cast<double>();
    EXPECT_FALSE(determined(shape, factors, negative)) << seed;
  }
}

/// Of one component of two; the other has entries of both signs there.
TEST(Signs, EveryComponentCounts) {
  const Shape shape{9, 8, 7};
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Factors factors = random_factors(shape, 2, seed);
    Factors second;
    for (const Matrix& factor : factors) second.emplace_back(factor.col(1));
    const Entries positive = (evaluate(second) > 0).cast<double>();
    EXPECT_FALSE(determined(shape, factors, positive)) << seed;
  }
}

TEST(Signs, RowsThatAreZeroHaveNone) {
  const Shape shape{9, 8, 7};
  Factors factors = random_factors(shape, 2, 3);
  factors[0].topRows(4).setZero();
  factors[1].col(1).setZero();
  EXPECT_TRUE(determined(shape, factors, all_of(shape)));
}

/// Blocks of a matrix, or of the first two modes.
Entries blocks_of(const Shape& shape) {
  Entries marked = all_of(shape);
  for (Index i = 0; i < marked.size(); ++i) {
    const ModeIndices at = shape.unravel(i);
    marked[i] = (at[0] < 5) == (at[1] < 5) ? 1 : 0;
  }
  return marked;
}

TEST(Signs, BlocksThatShareNoRowsHaveTheirOwn) {
  const Shape shape{10, 10};
  EXPECT_FALSE(determined(shape, random_factors(shape, 1, 1), blocks_of(shape)));
}

/// A factor in an even number of modes may change its sign alone, one without negative entries not
/// at all.
TEST(Signs, KnowsConstraints) {
  const Shape shape{8, 8, 8, 8};
  Factors factors = random_factors(shape, 2, 5);
  factors[1] = factors[0];
  factors[3] = factors[2];
  const Constraints pairs{.shared = {{0, 1}, {2, 3}}, .nonnegative = {}};
  EXPECT_TRUE(determined(shape, factors, some_of(shape, 0.3, 5), pairs));
  // A component that is -|rows|, in all modes alike, needs a sign of its own.
  const Constraints symmetric{.shared = {{0, 1, 2, 3}}, .nonnegative = {}};
  const Factors one(4, factors[0].leftCols(1));
  EXPECT_TRUE(determined(shape, one, some_of(shape, 0.3, 5), symmetric));
  EXPECT_FALSE(determined(shape, one, (evaluate(one) < 0).cast<double>(), symmetric));
  for (Matrix& factor : factors) factor = factors[0].cwiseAbs();
  const Constraints nonnegative{.shared = {}, .nonnegative = {0, 1, 2, 3}};
  EXPECT_TRUE(determined(shape, factors, blocks_of(shape), nonnegative));
  EXPECT_FALSE(determined(shape, factors, blocks_of(shape)));
}

}  // namespace
}  // namespace sunder::robust
