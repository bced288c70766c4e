#include "sunder/video/mask_score.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "sunder/core/error.hpp"

namespace sunder {
namespace {

constexpr TruthLabel no = TruthLabel::background;
constexpr TruthLabel yes = TruthLabel::object;
constexpr TruthLabel any = TruthLabel::ignored;

TEST(MaskScore, CountsPixelsAndFrames) {
  MaskScorer scorer;
  scorer.add(std::vector<std::uint8_t>{255, 255, 0, 0, 255},
             std::vector<TruthLabel>{yes, no, yes, no, any});
  scorer.add(std::vector<std::uint8_t>{1, 1, 1, 0, 0},
             std::vector<TruthLabel>{yes, yes, yes, no, no});
  const MaskScore score = scorer.score();
  EXPECT_DOUBLE_EQ(score.precision, 4.0 / 5);
  EXPECT_DOUBLE_EQ(score.recall, 4.0 / 5);
  EXPECT_DOUBLE_EQ(score.f, 4.0 / 5);
  EXPECT_DOUBLE_EQ(score.mean_f, (0.5 + 1) / 2);
  EXPECT_EQ(score.frames, 2);
}

TEST(MaskScore, NothingToFind) {
  MaskScorer scorer;
  scorer.add(std::vector<std::uint8_t>{0, 0}, std::vector<TruthLabel>{no, any});
  EXPECT_EQ(scorer.score().f, 1);
  EXPECT_EQ(scorer.score().mean_f, 1);
  scorer.add(std::vector<std::uint8_t>{255, 0}, std::vector<TruthLabel>{no, no});
  EXPECT_EQ(scorer.score().f, 0);
  EXPECT_EQ(scorer.score().precision, 0);
}

TEST(MaskScore, RefusesOtherSizes) {
  MaskScorer scorer;
  EXPECT_THROW(scorer.add(std::vector<std::uint8_t>{0}, std::vector<TruthLabel>{no, no}),
               InputError);
}

}  // namespace
}  // namespace sunder
