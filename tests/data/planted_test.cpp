#include "sunder/data/planted.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "data/same_bits.hpp"
#include "data/sampling_error.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

using test::five_sigma;
using test::same_bits;
using test::share;

constexpr std::uint64_t seeds[] = {1, 2, 3};

std::vector<double> dense_low_rank(const PlantedTensor& planted) {
  const Shape shape = planted.tensor.shape();
  std::vector<double> out(shape.entries());
  planted.low_rank.evaluate(ModeIndices{}, shape, out);
  return out;
}

/// T - L - S at the observed entries.
std::vector<double> residual(const PlantedTensor& planted) {
  std::vector<double> rest = dense_low_rank(planted);
  const TensorView view = planted.tensor.view();
  for (Index k = 0; k < view.entries(); ++k) {
    double& x = rest[k];
    x = view(view.shape().unravel(k)) - x;
  }
  for (Index k = 0; k < planted.sparse.count(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    rest[planted.sparse.positions()[at]] -= planted.sparse.values()[at];
  }
  std::erase_if(rest, [](double x) { return std::isnan(x); });
  return rest;
}

double largest(const std::vector<double>& numbers) {
  double most = 0;
  for (const double x : numbers) most = std::max(most, std::abs(x));
  return most;
}

TEST(Planted, TensorIsTheSumOfItsPartsForEveryOrder) {
  for (const Shape& shape :
       {Shape{40, 31}, Shape{1, 70000}, Shape{70000, 3}, Shape{17, 23, 29}, Shape{300, 1, 301},
        Shape{9, 8, 7, 6}, Shape{5, 6, 1, 7, 4}, Shape{3, 2, 3, 2, 3, 2, 3, 2}}) {
    PlantedOptions options;
    options.shape = shape;
    options.rank = 3;
    const PlantedTensor planted = generate_planted(options);
    EXPECT_EQ(planted.tensor.shape(), shape);
    EXPECT_LT(largest(residual(planted)), 1e-15) << to_string(shape);
    EXPECT_GT(planted.sparse.count(), 0) << to_string(shape);
  }
}

TEST(Planted, UniformSupportHasTheDensity) {
  for (const double density : {0.0, 0.03, 0.4, 1.0}) {
    for (const std::uint64_t seed : seeds) {
      PlantedOptions options;
      options.shape = Shape{30, 40, 50};
      options.density = density;
      options.seed = seed;
      const PlantedTensor planted = generate_planted(options);
      EXPECT_NEAR(share(planted.sparse.count(), 60000), density, five_sigma(density, 60000));
    }
  }
}

TEST(Planted, ValuesAreUniformInTheRange) {
  for (const Signs signs : {Signs::one, Signs::random}) {
    PlantedOptions options;
    options.shape = Shape{30, 40, 50};
    options.rank = 4;
    options.magnitude = 3;
    options.density = 0.3;
    options.signs = signs;
    const PlantedTensor planted = generate_planted(options);
    const double top = 3 * 4 / std::sqrt(60000.0);
    Index negative = 0;
    double sum = 0;
    for (const double value : planted.sparse.values()) {
      EXPECT_GE(std::abs(value), top / 2);
      EXPECT_LE(std::abs(value), top);
      negative += value < 0 ? 1 : 0;
      sum += std::abs(value);
    }
    const Index count = planted.sparse.count();
    EXPECT_NEAR(sum / static_cast<double>(count) / top, 0.75,
                5 * std::sqrt(1.0 / 48 / static_cast<double>(count)));
    const double expected = signs == Signs::one ? 0 : 0.5;
    EXPECT_NEAR(share(negative, count), expected, five_sigma(expected, count));
  }
}

TEST(Planted, BlockSupportIsAUnionOfProducts) {
  for (const std::uint64_t seed : seeds) {
    PlantedOptions options;
    options.shape = Shape{12, 14, 16};
    options.support = Support::block;
    options.blocks = 1;
    options.density = 0.4;
    options.seed = seed;
    const PlantedTensor one = generate_planted(options);
    // One block: the support is the product of the indices that occur in each mode.
    std::array<std::set<Index>, 3> used;
    for (Index k = 0; k < one.sparse.count(); ++k) {
      for (std::size_t mode = 0; mode < 3; ++mode) {
        used[mode].insert(one.sparse.coordinates(k)[mode]);
      }
    }
    const std::size_t product = used[0].size() * used[1].size() * used[2].size();
    EXPECT_EQ(static_cast<std::size_t>(one.sparse.count()), product);
    // More blocks only add to it, with the same values where both are.
    options.blocks = 3;
    const PlantedTensor more = generate_planted(options);
    EXPECT_EQ(compare_support(one.sparse, more.sparse).precision, 1);
    EXPECT_GT(more.sparse.count(), one.sparse.count());
    EXPECT_LT(largest(residual(more)), 1e-15);
  }
}

TEST(Planted, BlocksCoverTheExpectedShare) {
  for (const int blocks : {10, 130}) {  // more than one word of blocks as well
    PlantedOptions options;
    options.shape = Shape{60, 60, 60};
    options.support = Support::block;
    options.blocks = blocks;
    options.density = 0.2;
    double covered = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      options.seed = seed;
      covered += share(generate_planted(options).sparse.count(), 216000) / 10;
    }
    // Shares of a block vary as (n d)^-1/2 per mode; ten seeds and several blocks average that.
    const double expected = 1 - std::pow(1 - 0.008, blocks);
    EXPECT_NEAR(covered, expected, 0.25 * expected) << blocks;
  }
}

TEST(Planted, NoiseHasItsLevelRelativeToTheLowRankPart) {
  for (const std::uint64_t seed : seeds) {
    PlantedOptions options;
    options.shape = Shape{30, 40, 50};
    options.noise = 0.25;
    options.seed = seed;
    const PlantedTensor planted = generate_planted(options);
    const auto rms = [](const std::vector<double>& x) {
      double sum = 0;
      for (const double value : x) sum += value * value;
      return std::sqrt(sum / static_cast<double>(x.size()));
    };
    const double level = rms(residual(planted)) / rms(dense_low_rank(planted));
    EXPECT_NEAR(level, 0.25, 0.25 * 5 / std::sqrt(2 * 60000.0));
  }
}

TEST(Planted, MissingEntriesHaveTheirShareAndAreNotInS) {
  PlantedOptions options;
  options.shape = Shape{30, 40, 50};
  options.missing = 0.35;
  options.density = 0.5;
  const PlantedTensor planted = generate_planted(options);
  const auto entries = planted.tensor.typed<double>();
  const Index missing = std::ranges::count_if(entries, [](double x) { return std::isnan(x); });
  EXPECT_NEAR(share(missing, 60000), 0.35, five_sigma(0.35, 60000));
  for (const Index position : planted.sparse.positions()) {
    EXPECT_FALSE(std::isnan(entries[position]));
  }
  EXPECT_NEAR(share(planted.sparse.count(), 60000 - missing), 0.5, five_sigma(0.5, 39000));
}

TEST(Planted, SymmetricToTheLastBit) {
  for (const Support support : {Support::uniform, Support::block}) {
    for (const ScalarType type : {ScalarType::f64, ScalarType::f32}) {
      PlantedOptions options;
      options.shape = Shape{13, 13, 13};
      options.symmetric = true;
      options.support = support;
      options.density = 0.4;
      options.blocks = 2;
      options.signs = Signs::random;
      options.noise = 0.1;
      options.missing = 0.2;
      options.type = type;
      const PlantedTensor planted = generate_planted(options);
      EXPECT_EQ(planted.low_rank.factor(0), planted.low_rank.factor(2));
      std::vector<double> sparse(13 * 13 * 13, 0);
      for (std::size_t k = 0; k < planted.sparse.values().size(); ++k) {
        sparse[planted.sparse.positions()[k]] = planted.sparse.values()[k];
      }
      EXPECT_GT(planted.sparse.count(), 0);
      const TensorView view = planted.tensor.view();
      for (Index k = 0; k < view.entries(); ++k) {
        const ModeIndices at = view.shape().unravel(k);
        const ModeIndices turned{at[1], at[2], at[0]};
        const ModeIndices swapped{at[1], at[0], at[2]};
        for (const ModeIndices& other : {turned, swapped}) {
          const double a = view(at);
          const double b = view(other);
          ASSERT_TRUE(a == b || (std::isnan(a) && std::isnan(b)));
          ASSERT_EQ(sparse[k], sparse[view.shape().linear(other)]);
        }
      }
    }
  }
}

TEST(Planted, SinglePrecisionIsTheRoundedTensorWithTheSameTruth) {
  PlantedOptions options;
  options.shape = Shape{20, 30, 25};
  options.noise = 0.1;
  options.missing = 0.1;
  const PlantedTensor wide = generate_planted(options);
  options.type = ScalarType::f32;
  const PlantedTensor narrow = generate_planted(options);
  ASSERT_EQ(narrow.tensor.type(), ScalarType::f32);
  EXPECT_TRUE(same_bits(wide.sparse, narrow.sparse));
  for (std::size_t k = 0; k < 15000; ++k) {
    const auto expected = static_cast<float>(wide.tensor.typed<double>()[k]);
    const float seen = narrow.tensor.typed<float>()[k];
    ASSERT_TRUE(seen == expected || (std::isnan(seen) && std::isnan(expected)));
  }
}

PlantedOptions everything(const Shape& shape) {
  PlantedOptions options;
  options.shape = shape;
  options.signs = Signs::random;
  options.zero_rows = 0.1;
  options.noise = 0.05;
  options.missing = 0.1;
  return options;
}

TEST(Planted, SameBitsForAnyNumberOfThreads) {
  for (const Shape& shape : {Shape{90, 80, 100}, Shape{70, 70, 70}, Shape{900, 1100}}) {
    for (const Support support : {Support::uniform, Support::block}) {
      PlantedOptions options = everything(shape);
      options.support = support;
      options.symmetric = shape[0] == shape[1];
      const auto make = [&] { return generate_planted(options); };
      const PlantedTensor one = test::with_threads(1, make);
      for (const int threads : {2, 3}) {
        const PlantedTensor several = test::with_threads(threads, make);
        EXPECT_TRUE(same_bits(one.tensor, several.tensor));
        EXPECT_TRUE(same_bits(one.sparse, several.sparse));
        EXPECT_EQ(one.low_rank.factor(0), several.low_rank.factor(0));
      }
    }
  }
}

TEST(Planted, SeedsGiveDifferentTensors) {
  PlantedOptions options = everything(Shape{20, 20, 20});
  const PlantedTensor first = generate_planted(options);
  options.seed = 2;
  const PlantedTensor second = generate_planted(options);
  EXPECT_FALSE(same_bits(first.tensor, second.tensor));
  EXPECT_FALSE(std::ranges::equal(first.sparse.positions(), second.sparse.positions()));
  EXPECT_NE(first.low_rank.factor(0), second.low_rank.factor(0));
}

TEST(Planted, OneOptionDoesNotReshuffleTheOthers) {
  PlantedOptions options;
  options.shape = Shape{20, 25, 30};
  const PlantedTensor plain = generate_planted(options);
  PlantedOptions changed = options;
  changed.noise = 0.3;
  changed.weights = WeightKind::uniform;
  const PlantedTensor noisy = generate_planted(changed);
  EXPECT_TRUE(same_bits(plain.sparse, noisy.sparse));
  EXPECT_EQ(plain.low_rank.factor(1), noisy.low_rank.factor(1));
  changed = options;
  changed.signs = Signs::random;
  const PlantedTensor flipped = generate_planted(changed);
  EXPECT_TRUE(std::ranges::equal(plain.sparse.values(), flipped.sparse.values(),
                                 [](double a, double b) { return a == std::abs(b); }));
  changed = options;
  changed.density = 0.2;
  const PlantedTensor denser = generate_planted(changed);
  EXPECT_EQ(compare_support(plain.sparse, denser.sparse).precision, 1);
  changed = options;
  changed.rank = 7;
  EXPECT_EQ(generate_planted(changed).low_rank.factor(0).leftCols(5), plain.low_rank.factor(0));
}

TEST(Planted, ReportsProgressAndCanBeCancelled) {
  PlantedOptions options;
  options.shape = Shape{200, 200, 120};
  std::vector<double> fractions;
  generate_planted(options, [&](const Progress& progress) {
    fractions.push_back(progress.fraction);
    return Continue::yes;
  });
  EXPECT_GE(fractions.size(), 4U);
  EXPECT_TRUE(std::ranges::is_sorted(fractions));
  EXPECT_EQ(fractions.front(), 0);
  EXPECT_EQ(fractions.back(), 1);
  int calls = 0;
  const auto cancel = [&](const Progress&) {
    return ++calls == 2 ? Continue::cancel : Continue::yes;
  };
  EXPECT_THROW(generate_planted(options, cancel), Cancelled);
  EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace sunder
