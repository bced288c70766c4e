#include "learn/topics/word_scale.hpp"

#include <gtest/gtest.h>

#include "sunder/core/error.hpp"

namespace sunder {
namespace {

TEST(WordScale, IsTheInverseRootWithAnEndForRareWords) {
  const Vector frequency{{0.6399, 0.36, 1e-4, 0, 1e-9}};
  const Vector scale = word_scale(frequency);
  EXPECT_NEAR(scale[1], 1 / 0.6, 1e-12);
  const double most = 1 / std::sqrt(1e-3 * frequency.mean());
  EXPECT_NEAR(scale[2], most, 1e-9);
  EXPECT_NEAR(scale[3], most, 1e-9);
  EXPECT_NEAR(scale[4], most, 1e-9);
  EXPECT_THROW(word_scale(Vector::Zero(3)), InputError);
}

}  // namespace
}  // namespace sunder
