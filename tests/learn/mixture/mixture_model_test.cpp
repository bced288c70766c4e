#include "sunder/learn/mixture_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "refused_option.hpp"
#include "sunder/core/error.hpp"
#include "sunder/data/gaussian_mixture.hpp"
#include "sunder/learn/component_score.hpp"

namespace sunder {
namespace {

double error_of(const Matrix& means, const GaussianMixture& made) {
  return score_components(means, made.means, ColumnDistance::euclidean).mean_error;
}

Matrix clean_samples(const GaussianMixture& made) {
  Matrix clean(made.samples.rows(), made.samples.cols());
  Index count = 0;
  for (Index i = 0; i < made.samples.rows(); ++i) {
    if (made.labels[i] >= 0) clean.row(count++) = made.samples.row(i);
  }
  return clean.topRows(count);
}

TEST(MixtureMoments, AgreeWithTheObviousSums) {
  const GaussianMixture made =
      generate_gaussian_mixture({.dimension = 4, .components = 2, .samples = 700});
  std::vector<Index> some;
  for (Index i = 0; i < 700; i += 3) some.push_back(i);
  const MixtureMoments found = mixture_moments(made.samples, some, 2);
  Matrix third = Matrix::Zero(4, 16);
  for (const Index s : some) {
    const Vector x = made.samples.row(s);
    third +=
        x * (x * x.transpose()).eval().reshaped().transpose() / static_cast<double>(some.size());
  }
  for (Index i = 0; i < 4; ++i) {
    for (Index k = 0; k < 4; ++k) {
      third(i, i + 4 * k) -= found.variance * found.moments.first[k];
      third(i, k + 4 * i) -= found.variance * found.moments.first[k];
      third(k, i + 4 * i) -= found.variance * found.moments.first[k];
    }
  }
  EXPECT_LT((found.moments.third - third).norm(), 1e-12 * third.norm());
  EXPECT_NEAR(found.variance, 1, 0.2);
}

TEST(MixtureModel, GrossOutliersCostNothing) {
  double robust = 0;
  double moments = 0;
  double oracle = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const GaussianMixture made = generate_gaussian_mixture(
        {.dimension = 15, .components = 4, .samples = 10'000, .outliers = 0.02, .seed = seed});
    const MixtureModel model = learn_mixture(made.samples, {.components = 4});
    const MixtureModel clean =
        learn_mixture(clean_samples(made), {.components = 4, .robust = false});
    robust += error_of(model.means, made);
    moments += error_of(model.moment_means, made);
    oracle += error_of(clean.moment_means, made);
    EXPECT_NEAR(static_cast<double>(model.outliers.size()), 200, 50);
    EXPECT_NEAR(model.variance, 1, 0.05);
    const MixtureModel plain =
        learn_mixture(made.samples, {.components = 4, .robust = false, .refinements = 0});
    EXPECT_GT(error_of(plain.means, made), 1);
  }
  EXPECT_LT(moments, 1.3 * oracle);
  EXPECT_LE(robust, 1.05 * moments);
}

TEST(MixtureModel, RefinedMeansAreAsGoodAsWithKnownLabels) {
  const GaussianMixture made = generate_gaussian_mixture(
      {.dimension = 15, .components = 4, .samples = 10'000, .outliers = 0.02, .seed = 7});
  Matrix sums = Matrix::Zero(15, 4);
  Vector count = Vector::Zero(4);
  for (Index i = 0; i < made.samples.rows(); ++i) {
    const std::int32_t label = made.labels[i];
    if (label < 0) continue;
    sums.col(label) += made.samples.row(i).transpose();
    count[label] += 1;
  }
  const MixtureModel model = learn_mixture(made.samples, {.components = 4});
  EXPECT_LT(error_of(model.means, made),
            1.3 * error_of(sums * count.cwiseInverse().asDiagonal(), made));
}

TEST(MixtureModel, CorruptedVariablesOfReadyMadeMoments) {
  const GaussianMixture made =
      generate_gaussian_mixture({.dimension = 40, .components = 3, .samples = 1, .seed = 4});
  SymmetricMoments moments = exact_moments(made.means, made.weights, made.weights);
  const std::vector<Index> corrupted = corrupt(moments, {.share = 0.1, .seed = 3});
  const MixtureModel model = learn_mixture(moments, {.components = 3});
  EXPECT_LT(error_of(model.means, made), 1e-8);
  EXPECT_THAT(model.corrupted, ::testing::UnorderedElementsAreArray(corrupted));
}

TEST(MixtureModel, MistakesAreNamed) {
  const Matrix few = Matrix::Random(20, 5);
  EXPECT_THROW(learn_mixture(few, {.components = 2}), InputError);
  EXPECT_THROW(learn_mixture(Matrix::Random(200, 5), {.components = 6}), InputError);
  EXPECT_EQ(test::refused_option([&] { learn_mixture(few, {.components = 0}); }), "components");
}

}  // namespace
}  // namespace sunder
