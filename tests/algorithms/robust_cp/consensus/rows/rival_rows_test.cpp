#include "algorithms/robust_cp/consensus/rows/rival_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace sunder::robust {
namespace {

/// A row of which some columns follow another one.
struct TwoRows {
  RowProblem problem;
  Matrix present;
  Matrix other;
  RivalOptions options{.level = 1e-9};

  TwoRows(Index columns, Index rank, std::uint64_t seed, bool nonnegative = false)
      : problem(1, columns, rank), rng_(seed) {
    const auto entry = [&] { return nonnegative ? std::abs(rng_.normal()) : rng_.normal(); };
    present = Matrix::NullaryExpr(1, rank, entry);
    other = Matrix::NullaryExpr(1, rank, entry);
    problem.design.topRows(columns) = Matrix::NullaryExpr(columns, rank, entry);
    options.nonnegative = nonnegative;
  }

  void follow(const Matrix& row, Index column) {
    problem.set(0, column, problem.design.row(column).dot(row.row(0)));
  }
  /// So many columns follow the present row, so many the other one, and the rest are errors.
  void share_out(Index to_present, Index to_other) {
    for (Index j = 0; j < problem.columns; ++j) {
      const Index at = (j * 7919) % problem.columns;  // in no order
      if (j < to_present) {
        follow(present, at);
      } else if (j < to_present + to_other) {
        follow(other, at);
      } else {
        problem.set(0, at, 3 * rng_.normal());
      }
    }
  }
  void lose(double share) {
    for (Index j = 0; j < problem.columns; ++j) {
      if (rng_.bernoulli(share)) problem.set(0, j, std::nan(""));
    }
  }
  Rivals rivals() const {
    Rng rng(1);
    Monitor monitor;
    return find_rivals_after_first_look(problem, present, options, rng, monitor);
  }
  double distance_of(const Matrix& row) const { return (row - other).norm() / other.norm(); }

 private:
  Rng rng_;
};

/// 2000 columns are thinned for a first look, 400 are not.
TEST(RivalRows, ARowThatMoreEntriesFollowIsFound) {
  for (const Index columns : {400, 2000}) {
    for (const Index rank : {1, 3}) {
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        TwoRows rows(columns, rank, seed);
        rows.share_out(columns * 2 / 5, columns - columns * 2 / 5);
        const Rivals rivals = rows.rivals();
        EXPECT_EQ(rivals.fitted[0], columns * 2 / 5) << columns << ' ' << rank << ' ' << seed;
        EXPECT_EQ(rivals.fitted_by_rival[0], columns * 3 / 5)
            << columns << ' ' << rank << ' ' << seed;
        EXPECT_LT(rows.distance_of(rivals.coefficients), 1e-12);
      }
    }
  }
}

TEST(RivalRows, ARowAlteredOnAMinorityKeepsItsPlace) {
  for (const Index columns : {400, 2000}) {
    for (const Index rank : {1, 3}) {
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        TwoRows rows(columns, rank, seed);
        rows.share_out(columns * 3 / 5, columns - columns * 3 / 5);
        const Rivals rivals = rows.rivals();
        EXPECT_EQ(rivals.fitted[0], columns * 3 / 5);
        EXPECT_EQ(rivals.fitted_by_rival[0], columns * 2 / 5) << columns << ' ' << rank;
      }
    }
  }
}

TEST(RivalRows, MissingEntriesSpeakForNobody) {
  for (const Index rank : {1, 3}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      TwoRows rows(500, rank, seed);
      rows.share_out(200, 300);
      rows.lose(0.3);
      const Rivals rivals = rows.rivals();
      EXPECT_EQ(rivals.fitted[0] + rivals.fitted_by_rival[0], rows.problem.observed.sum());
      EXPECT_GT(rivals.fitted_by_rival[0], rivals.fitted[0]);
      EXPECT_LT(rows.distance_of(rivals.coefficients), 1e-12);
    }
  }
}

TEST(RivalRows, NoCoefficientIsNegativeWhereNoneMayBe) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    TwoRows rows(500, 3, seed, true);
    rows.share_out(200, 300);
    EXPECT_LT(rows.distance_of(rows.rivals().coefficients), 1e-12) << seed;
    rows.other(0, 1) = -1;
    rows.share_out(200, 300);
    const Rivals rivals = rows.rivals();
    EXPECT_GE(rivals.coefficients.minCoeff(), 0) << seed;
    EXPECT_LT(rivals.fitted_by_rival[0], 200) << seed;
  }
}

/// Most of what the present row leaves are errors, which lead regressions astray.
TEST(RivalRows, AVoteFindsAnotherCoefficientAmongErrors) {
  for (const Index rank : {1, 2, 5}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      TwoRows rows(700, rank, seed);
      rows.other = rows.present;
      rows.other(0, rank / 2) += 0.7;
      rows.share_out(150, 180);
      const Rivals rivals = rows.rivals();
      EXPECT_EQ(rivals.fitted[0], 150) << rank << ' ' << seed;
      EXPECT_EQ(rivals.fitted_by_rival[0], 180) << rank << ' ' << seed;
      EXPECT_LT(rows.distance_of(rivals.coefficients), 1e-12) << rank << ' ' << seed;
    }
  }
}

/// It need not fit fewer entries than the present row where the others contribute nothing.
TEST(RivalRows, ARowWithoutAComponentIsConsidered) {
  TwoRows rows(400, 2, 1);
  rows.other = rows.present;
  rows.other(0, 1) = 0;
  rows.share_out(190, 210);
  const Rivals rivals = rows.rivals();
  EXPECT_EQ(rivals.fitted_by_rival[0], 210);
  EXPECT_LT(rows.distance_of(rivals.coefficients), 1e-12);
}

TEST(RivalRows, TheSameLIsNoRival) {
  TwoRows rows(400, 2, 1);
  rows.share_out(400, 0);
  const Rivals rivals = rows.rivals();
  EXPECT_EQ(rivals.fitted[0], 400);
  EXPECT_LT(rivals.fitted_by_rival[0], 20);
}

TEST(RivalRows, ThreadsGiveTheSameBits) {
  RowProblem problem(5, 300, 2);
  Rng rng(3);
  problem.design.topRows(300) = Matrix::NullaryExpr(300, 2, [&] { return rng.normal(); });
  for (Index i = 0; i < 5; ++i) {
    for (Index j = 0; j < 300; ++j) problem.set(i, j, rng.normal());
  }
  const Matrix present = Matrix::Ones(5, 2);
  const auto find = [&](int threads) {
    Rng own(1);
    Monitor monitor;
    return find_rivals(problem, present, {.level = 1e-2, .threads = threads}, own, monitor);
  };
  EXPECT_TRUE(find(1).coefficients == find(2).coefficients);
  EXPECT_EQ(find(1).fitted_by_rival, find(2).fitted_by_rival);
}

/// What both rows fit does not count.
TEST(RivalRows, ARivalIsPromisingByTheEntriesThatOnlyOneRowFits) {
  Rivals rivals;
  rivals.fitted = {100, 100, 100, 100};
  rivals.fitted_by_rival = {95, 95, 0, 60};
  rivals.gained = {5, 1, 0, 50};
  EXPECT_EQ(rivals.lost(0), 10);
  EXPECT_EQ(rivals.lost(1), 6);
  EXPECT_EQ(rivals.promising(), (std::vector<Index>{0, 3}));
}

TEST(RivalRows, AFirstLookSeesSomeEntriesThatTheRowFits) {
  EXPECT_EQ(columns_of_first_look(5, 0.5), 100);
  EXPECT_EQ(columns_of_first_look(5, 0.25), 200);
  EXPECT_EQ(columns_of_first_look(5, 0), columns_of_first_look(5, 0.08));
}

/// The last component is at work on three columns, two of which bear the present row out. A row
/// through the third agrees with it on all columns without that component.
TEST(RivalRows, ARivalThatSharesMostColumnsIsFoundThoughItFitsLittleOfTheRest) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    TwoRows rows(9, 3, seed);
    for (Index j = 3; j < 9; ++j) rows.problem.design(j, 2) = 0;
    rows.other = rows.present;
    rows.other(0, 2) *= -1;
    // In other coordinates no single coefficient tells them apart.
    Matrix map(3, 3);
    map << 1, 2, 0.5, -1, 1, 3, 2, 0.5, 1;
    rows.problem.design.topRows(9) = (rows.problem.design.topRows(9) * map.inverse()).eval();
    rows.present = (rows.present * map.transpose()).eval();
    rows.other = (rows.other * map.transpose()).eval();
    for (Index j = 0; j < 9; ++j) rows.follow(j == 0 ? rows.other : rows.present, j);
    const Rivals rivals = rows.rivals();
    EXPECT_EQ(rivals.fitted[0], 8) << seed;
    EXPECT_EQ(rivals.fitted_by_rival[0], 7) << seed;
    EXPECT_LT(rows.distance_of(rivals.coefficients), 1e-6) << seed;
  }
}

}  // namespace
}  // namespace sunder::robust
