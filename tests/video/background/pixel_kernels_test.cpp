#include "video/background/pixel_kernels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sunder/core/rng.hpp"

namespace sunder {
namespace {

/// Rows of odd lengths, so that vectors have remainders.
class PixelKernels : public ::testing::TestWithParam<Index> {
 protected:
  void SetUp() override {
    const auto n = static_cast<std::size_t>(GetParam());
    Rng rng(7, static_cast<std::uint64_t>(n));
    for (std::size_t j = 0; j < n; ++j) {
      x.push_back(static_cast<std::uint8_t>(rng.below(256)));
      b.push_back(static_cast<float>(rng.uniform(0, 255)));
      v.push_back(static_cast<float>(rng.uniform(25, 1600)));
      keep.push_back(rng.bernoulli(0.5) ? 255 : 0);
    }
  }
  Index n() const { return GetParam(); }
  std::vector<std::uint8_t> x, keep;
  std::vector<float> b, v;
};

TEST_P(PixelKernels, GainSums) {
  const kernels::GainSums sums = kernels::gain_sums(x.data(), 1.0F, 0.8F, b.data(), v.data(), n());
  double bx = 0;
  double bb = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const float gap = static_cast<float>(x[j]) - 0.8F * b[j];
    if (!(gap * gap < 4 * v[j])) continue;
    bx += static_cast<double>(b[j]) * x[j];
    bb += static_cast<double>(b[j]) * static_cast<double>(b[j]);
  }
  EXPECT_NEAR(sums.bx, bx, 1e-5 * (1 + bx));
  EXPECT_NEAR(sums.bb, bb, 1e-5 * (1 + bb));
}

TEST_P(PixelKernels, Energy) {
  std::vector<float> e(x.size(), 1.0F);
  kernels::add_energy(x.data(), 1.0F, 0.9F, b.data(), v.data(), 0.5F, e.data(), n());
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double gap = x[j] - 0.9 * static_cast<double>(b[j]);
    const double expected = 1 + 0.5 * gap * gap / static_cast<double>(v[j]);
    EXPECT_NEAR(static_cast<double>(e[j]), expected, 1e-4 * (1 + expected));
  }
}

TEST_P(PixelKernels, NeighbourhoodsOfFive) {
  const std::vector<float> zero(x.size(), 0.0F);
  std::vector<float> padded(x.size() + 4, 0.0F);
  const float* const rows[5] = {b.data(), zero.data(), v.data(), zero.data(), b.data()};
  kernels::sum_rows(rows, 200, padded.data() + 2, n());
  for (std::size_t j = 0; j < x.size(); ++j) {
    EXPECT_FLOAT_EQ(padded[j + 2], 2 * std::min(b[j], 200.0F) + std::min(v[j], 200.0F));
  }
  const std::vector<float> bound(x.size(), 1500.0F);
  std::vector<std::uint8_t> mask(x.size());
  kernels::threshold_row(padded.data() + 2, bound.data(), mask.data(), n());
  std::vector<std::uint8_t> wide(x.size() + 4, 0);
  std::copy(mask.begin(), mask.end(), wide.begin() + 2);
  std::vector<std::uint8_t> kept(x.size());
  kernels::keep_row(wide.data() + 2, kept.data(), n());
  for (std::size_t j = 0; j < x.size(); ++j) {
    const float sum = padded[j] + padded[j + 1] + padded[j + 2] + padded[j + 3] + padded[j + 4];
    if (std::abs(sum - 1500) > 0.01F) {
      EXPECT_EQ(mask[j], sum > 1500 ? 255 : 0);
    }
    const bool near = (wide[j] | wide[j + 1] | wide[j + 2] | wide[j + 3] | wide[j + 4]) != 0;
    EXPECT_EQ(kept[j], near ? 0 : 255);
  }
}

TEST_P(PixelKernels, LearnsWhereItIsTold) {
  std::vector<float> sum(x.size(), 0.0F);
  std::vector<float> squares(x.size(), 0.0F);
  std::vector<float> count(x.size(), 99.0F);
  kernels::add_moments(x.data(), 1.0F, 2.0F, keep.data(), b.data(), sum.data(), squares.data(),
                       n());
  kernels::add_counts(keep.data(), 100, count.data(), n());
  kernels::add_counts(keep.data(), 100, count.data(), n());
  std::vector<float> b2 = b;
  std::vector<float> v2 = v;
  kernels::follow(x.data(), 1.0F, 2.0F, keep.data(), count.data(), 25, 1600, b2.data(), v2.data(),
                  n());
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double d = keep[j] != 0 ? 2.0 * x[j] - static_cast<double>(b[j]) : 0.0;
    EXPECT_NEAR(static_cast<double>(sum[j]), d, 1e-3);
    EXPECT_NEAR(static_cast<double>(squares[j]), d * d, 1e-4 * (1 + d * d));
    EXPECT_EQ(count[j], keep[j] != 0 ? 100.0F : 99.0F);
    EXPECT_NEAR(static_cast<double>(b2[j]), static_cast<double>(b[j]) + d / 100, 1e-3);
    if (keep[j] == 0) {
      EXPECT_EQ(v2[j], v[j]);
    }
    EXPECT_GE(v2[j], 25.0F);
    EXPECT_LE(v2[j], 1600.0F);
  }
}

TEST_P(PixelKernels, ChannelsComeApart) {
  std::vector<std::uint16_t> mixed;
  Rng rng(9, 0);
  for (Index k = 0; k < 3 * n(); ++k) mixed.push_back(static_cast<std::uint16_t>(rng.below(65536)));
  std::vector<std::uint16_t> apart(mixed.size());
  std::uint16_t* const planes[3] = {apart.data(), apart.data() + n(), apart.data() + 2 * n()};
  kernels::split_channels(mixed.data(), planes, n());
  for (Index j = 0; j < n(); ++j) {
    for (Index c = 0; c < 3; ++c) {
      EXPECT_EQ(planes[c][j], mixed[3 * j + c]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Lengths, PixelKernels,
                         ::testing::Values(1, 2, 5, 16, 37, 160, 1025, 3001));

}  // namespace
}  // namespace sunder
