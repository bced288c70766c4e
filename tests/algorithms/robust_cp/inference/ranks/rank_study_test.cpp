#include "algorithms/robust_cp/inference/ranks/rank_study.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "algorithms/robust_cp/noise/noisy_example.hpp"

namespace sunder::robust {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

RankRecord record(int rank, double description, double consistency, int boxes = 0) {
  RankRecord made;
  made.rank = rank;
  made.description = description;
  made.consistency = consistency;
  made.agreement = 1;
  made.boxes = boxes;
  return made;
}

int recommended(std::vector<RankRecord> records, Index shortest = 20) {
  RankStudy study;
  study.records = std::move(records);
  recommend(shortest, study);
  EXPECT_TRUE(study.reason.ends_with('.')) << study.reason;
  return study.recommended;
}

TEST(Recommend, TheShortestDescription) {
  EXPECT_EQ(recommended({record(1, 9, 100), record(2, 5, 100), record(3, 6, 100)}), 2);
}

TEST(Recommend, NothingBeyondTheFirstDropOfCoreConsistency) {
  EXPECT_EQ(recommended({record(1, 9, 100), record(2, 5, 100), record(3, 4, 20), record(4, 1, 99)}),
            2);
}

TEST(Recommend, BlocksDoNotCount) {
  EXPECT_EQ(recommended({record(1, 9, 100), record(2, 5, 100), record(3, 4, 100, 1)}), 2);
}

TEST(Recommend, WithMoreComponentsThanRowsTwoStartsMustAgree) {
  std::vector<RankRecord> records{record(4, 9, 100), record(5, 8, 100), record(6, 7, unknown)};
  EXPECT_EQ(recommended(records, 5), 6);
  records.back().agreement = 0.2;
  EXPECT_EQ(recommended(records, 5), 5);
}

int studied(const Shape& shape, Index rank, double noise, double errors, std::uint64_t seed) {
  const test::NoisyExample example = test::noisy_example(shape, rank, noise, errors, seed);
  Rng rng(seed);
  Monitor monitor;
  return study_ranks(example.core, {.most = 12}, rng, monitor).study.recommended;
}

TEST(RankStudy, FindsThePlantedRankUnderNoiseAndErrors) {
  for (const Index rank : {1, 2, 4}) {
    EXPECT_EQ(studied({24, 24, 24}, rank, 0.1, 0.1, 31110), rank);
    EXPECT_EQ(studied({24, 24, 24}, rank, 0.3, 0.2, 31111), rank);
  }
}

TEST(RankStudy, WorksForEveryOrder) {
  EXPECT_EQ(studied({60, 50}, 3, 0.1, 0.05, 31112), 3);
  EXPECT_EQ(studied({11, 11, 11, 11}, 3, 0.1, 0.1, 31113), 3);
  EXPECT_EQ(studied({5, 60, 45}, 3, 0.1, 0.1, 31114), 3);
}

TEST(RankStudy, SkipsRanksAndComesBack) {
  const test::NoisyExample example = test::noisy_example({26, 26, 26}, 10, 0.1, 0.05, 31115);
  Rng rng(1);
  Monitor monitor;
  const StudiedRanks found = study_ranks(example.core, {.most = 20}, rng, monitor);
  EXPECT_EQ(found.study.recommended, 10);
  EXPECT_TRUE(found.is_bounded);
  EXPECT_LT(found.study.records.size(), 15U);
}

}  // namespace
}  // namespace sunder::robust
