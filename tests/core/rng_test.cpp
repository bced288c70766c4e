#include "sunder/core/rng.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace sunder {
namespace {

struct KnownAnswer {
  std::uint64_t position, stream, seed, first, second;
};

// Random123, tests/kat_vectors, "philox4x32 10": the words of counter and key are, lowest first,
// those of position, stream and seed; the words of the answer those of two numbers.
TEST(Rng, PhiloxKnownAnswers) {
  constexpr auto ones = std::numeric_limits<std::uint64_t>::max();
  const KnownAnswer answers[] = {
      {0, 0, 0, 0xe169c58d6627e8d5, 0x9b00dbd8bc57ac4c},
      {ones, ones, ones, 0x41c83b0e408f276d, 0x6d5451fda20bc7c6},
      {0x85a308d3243f6a88, 0x0370734413198a2e, 0x299f31d0a4093822, 0x94fdccebd16cfe09,
       0x24126ea15001e420},
  };
  for (const KnownAnswer& known : answers) {
    Rng random(known.seed, known.stream);
    random.seek(known.position);
    EXPECT_EQ(random.next(), known.first);
    EXPECT_EQ(random.next(), known.second);
  }
}

// Our own numbers, so that a platform on which they differ is noticed. From GCC 12 on x86-64.
TEST(Rng, GoldenNumbers) {
  Rng random(42, 7);
  const double uniforms[] = {0x1.caa82198cfdcdp-1, 0x1.55ce634db1fb2p-2, 0x1.803d865b9777ap-2,
                             0x1.6476c1cc7e6fcp-3};
  for (const double expected : uniforms) EXPECT_EQ(random.uniform(), expected);
  random.seek(1000);
  const double normals[] = {0x1.c14f84f57c79fp-3, 0x1.2611a673d9d1cp+0, -0x1.5cb3a77423103p-1,
                            -0x1.6566147ca12a8p+0};
  for (const double expected : normals) EXPECT_EQ(random.normal(), expected);
}

TEST(Rng, SeekFindsTheSameNumbersAsReadingOn) {
  Rng sequence(3, 1);
  std::vector<std::uint64_t> numbers;
  for (int k = 0; k < 20; ++k) numbers.push_back(sequence.next());
  Rng jumping(3, 1);
  for (const std::size_t position : {7U, 0U, 9U, 3U}) {
    jumping.seek(position);
    EXPECT_EQ(jumping.next(), numbers[2 * position]);
    EXPECT_EQ(jumping.next(), numbers[2 * position + 1]);
  }
  jumping.seek(2);
  jumping.next();
  jumping.seek(2);
  EXPECT_EQ(jumping.next(), numbers[4]) << "half a block was left over from before the seek";
}

TEST(Rng, SeedsAndStreamsDiffer) {
  EXPECT_NE(Rng(1).next(), Rng(2).next());
  EXPECT_NE(Rng(1, 0).next(), Rng(1, 1).next());
  EXPECT_NE(Rng(1, 2).next(), Rng(2, 1).next());
}

TEST(Rng, UniformMoments) {
  constexpr int count = 200000;
  Rng random(11);
  double sum = 0;
  double squares = 0;
  for (int k = 0; k < count; ++k) {
    const double x = random.uniform();
    ASSERT_GT(x, 0);
    ASSERT_LT(x, 1);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / count, 0.5, 5 * std::sqrt(1.0 / 12 / count));
  EXPECT_NEAR(squares / count, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / count));
  const double x = random.uniform(-3, -2);
  EXPECT_TRUE(-3 < x && x < -2);
}

TEST(Rng, NormalMoments) {
  constexpr int count = 200000;
  Rng random(12);
  double moment[5] = {};
  for (int k = 0; k < count; ++k) {
    const double x = random.normal();
    for (int power = 1; power <= 4; ++power) moment[power] += std::pow(x, power) / count;
  }
  EXPECT_NEAR(moment[1], 0, 5 * std::sqrt(1.0 / count));
  EXPECT_NEAR(moment[2], 1, 5 * std::sqrt(2.0 / count));
  EXPECT_NEAR(moment[3], 0, 5 * std::sqrt(15.0 / count));
  EXPECT_NEAR(moment[4], 3, 5 * std::sqrt(96.0 / count));
}

TEST(Rng, BelowIsUnbiased) {
  constexpr int count = 60000;
  for (const std::uint64_t bound : {1U, 2U, 3U, 7U}) {
    Rng random(13, bound);
    std::vector<int> tally(bound, 0);
    for (int k = 0; k < count; ++k) {
      const std::uint64_t x = random.below(bound);
      ASSERT_LT(x, bound);
      ++tally[x];
    }
    const double p = 1.0 / static_cast<double>(bound);
    for (const int seen : tally) {
      EXPECT_NEAR(seen, count * p, 5 * std::sqrt(count * p * (1 - p)) + 1e-9);
    }
  }
}

// With this bound a plain remainder would hit the lower half of the range two times in three.
TEST(Rng, BelowIsUnbiasedForHugeBounds) {
  constexpr int count = 20000;
  constexpr std::uint64_t bound = 3ULL << 62;
  Rng random(14);
  int lower = 0;
  for (int k = 0; k < count; ++k) lower += random.below(bound) < bound / 2 ? 1 : 0;
  EXPECT_NEAR(lower, count / 2.0, 5 * std::sqrt(count / 4.0));
}

TEST(Rng, Bernoulli) {
  Rng random(15);
  for (int k = 0; k < 1000; ++k) {
    EXPECT_FALSE(random.bernoulli(0));
    EXPECT_TRUE(random.bernoulli(1));
  }
}

// Values of the quantile function to 16 digits, as in R's qnorm, which is the same algorithm.
TEST(NormalQuantile, KnownValues) {
  EXPECT_EQ(normal_quantile(0.5), 0);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 4e-16 * 2);
  EXPECT_NEAR(normal_quantile(0.25), -0.6744897501960817, 2e-16);
  EXPECT_NEAR(normal_quantile(1e-3), -3.090232306167813, 1e-15);
  EXPECT_NEAR(normal_quantile(1e-10), -6.361340902404056, 2e-15);
  EXPECT_NEAR(normal_quantile(1e-20), -9.262340089798409, 4e-15);
}

TEST(NormalQuantile, InvertsTheDistributionFunction) {
  for (double x = -8; x <= 4; x += 0.0625) {
    const double p = std::erfc(-x / std::sqrt(2.0)) / 2;
    const double density = std::exp(-x * x / 2) / std::sqrt(2 * 3.14159265358979324);
    EXPECT_NEAR(normal_quantile(p), x, 1e-13 + 4 * 1.2e-16 * p / density) << x;
  }
}

TEST(NormalQuantile, IsOddAndIncreasing) {
  double before = -std::numeric_limits<double>::infinity();
  for (int k = 1; k < 1024; ++k) {
    const double p = k / 1024.0;
    EXPECT_EQ(normal_quantile(p), -normal_quantile(1 - p));
    EXPECT_GT(normal_quantile(p), before);
    before = normal_quantile(p);
  }
}

}  // namespace
}  // namespace sunder
