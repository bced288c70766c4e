#include "algorithms/robust_cp/certificate/determinacy.hpp"

#include <gtest/gtest.h>

#include "planted_problem.hpp"

namespace sunder::robust {
namespace {

/// A model, and a core that it fits where `fitted` says so.
template <class Fitted>
Determinacy determinacy(const Shape& shape, Index rank, std::uint64_t seed, const Fitted& fitted) {
  const Factors factors =
      CpModel(Vector::Ones(rank), test::random_model(shape, static_cast<int>(rank), seed).factors())
          .factors();
  DenseCore core;
  core.shape = shape;
  core.values = evaluate(factors);
  Rng rng(seed);
  for (Index i = 0; i < core.values.size(); ++i) {
    if (!fitted(shape.unravel(i), rng)) core.values[i] += 1 + rng.uniform();
  }
  Monitor monitor;
  return determinacy_by_fitted(core, factors, 1e-9, {}, rng, monitor);
}

TEST(Determinacy, EntriesHereAndThereDetermineAModel) {
  const auto a_third = [](const ModeIndices&, Rng& rng) { return rng.bernoulli(0.33); };
  // Of a third of a matrix, some rows have hardly more entries than unknowns.
  const auto a_half = [](const ModeIndices&, Rng& rng) { return rng.bernoulli(0.5); };
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    EXPECT_EQ(determinacy({12, 13, 14}, 3, seed, a_third), Determinacy::determined) << seed;
    EXPECT_EQ(determinacy({40, 30}, 2, seed, a_half), Determinacy::determined) << seed;
    EXPECT_EQ(determinacy({7, 7, 7, 7}, 3, seed, a_third), Determinacy::determined) << seed;
  }
}

/// Each of them tells its part of a component up to a factor in every mode.
TEST(Determinacy, TwoBlocksWithoutCommonRowsDoNot) {
  const auto in_blocks = [](const ModeIndices& at, Rng&) {
    return (at[0] < 6) == (at[1] < 6) && (at[1] < 6) == (at[2] < 6);
  };
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    EXPECT_EQ(determinacy({12, 12, 12}, 2, seed, in_blocks), Determinacy::open_on_fitted) << seed;
  }
}

/// A single entry, which may be an error, ties the one to the other.
TEST(Determinacy, OneEntryDoesNotDecideAlone) {
  const auto joined = [](const ModeIndices& at, Rng&) {
    return (at[1] < 5) != (at[2] < 5) || (at[1] == 2 && at[2] == 3 && at[0] == 0);
  };
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    EXPECT_EQ(determinacy({2, 25, 25}, 1, seed, joined), Determinacy::open_on_fitted) << seed;
  }
}

/// A model of |rows| fits them as well, however far away it is.
TEST(Determinacy, EntriesOfOneSignDoNot) {
  const Shape shape{12, 13, 14};
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Entries L = evaluate(test::random_model(shape, 1, seed).factors());
    const auto negative = [&](const ModeIndices& at, Rng&) { return L[shape.linear(at)] < 0; };
    EXPECT_EQ(determinacy(shape, 1, seed, negative), Determinacy::open_signs) << seed;
  }
}

/// As of a sensor that was off most of the time: the others are determined all the same.
TEST(Determinacy, ARowOfAFewEntriesIsLeftOut) {
  const auto all_but_one_row = [](const ModeIndices& at, Rng&) { return at[0] != 3 || at[1] == 0; };
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    EXPECT_EQ(determinacy({12, 5, 3}, 2, seed, all_but_one_row), Determinacy::determined) << seed;
  }
}

}  // namespace
}  // namespace sunder::robust
