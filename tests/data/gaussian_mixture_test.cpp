#include "sunder/data/gaussian_mixture.hpp"

#include <gtest/gtest.h>

#include "refused_option.hpp"

namespace sunder {
namespace {

TEST(GaussianMixture, SamplesLieAroundTheirMeans) {
  const GaussianMixture made = generate_gaussian_mixture(
      {.dimension = 5, .components = 3, .samples = 5000, .outliers = 0.1, .seed = 2});
  double squares = 0;
  double outlier_squares = 0;
  Index clean = 0;
  for (Index i = 0; i < 5000; ++i) {
    const std::int32_t label = made.labels[i];
    if (label < 0) {
      outlier_squares += made.samples.row(i).squaredNorm();
      continue;
    }
    ++clean;
    squares += (made.samples.row(i).transpose() - made.means.col(label)).squaredNorm();
  }
  EXPECT_NEAR(static_cast<double>(clean), 4500, 100);
  EXPECT_NEAR(squares / static_cast<double>(5 * clean), 1, 0.05);
  // Ten times the rms of a clean sample, which is sqrt(2).
  EXPECT_NEAR(outlier_squares / static_cast<double>(5 * (5000 - clean)), 200, 20);
}

TEST(GaussianMixture, OptionsOutOfRange) {
  EXPECT_EQ(test::wrong_option(GaussianMixtureOptions{.dimension = 0}), "dimension");
  EXPECT_EQ(test::wrong_option(GaussianMixtureOptions{.separation = 0}), "separation");
  EXPECT_EQ(test::wrong_option(GaussianMixtureOptions{.outliers = 1}), "outliers");
}

}  // namespace
}  // namespace sunder
