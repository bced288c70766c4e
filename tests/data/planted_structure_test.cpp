#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "data/planted_noise.hpp"
#include "data/sampling_error.hpp"
#include "sunder/data/planted.hpp"

namespace sunder {
namespace {

PlantedOptions clean(const Shape& shape = Shape{40, 30, 50}) {
  PlantedOptions options;
  options.shape = shape;
  options.rank = 3;
  options.support = Support::none;
  return options;
}

double rms(const CpModel& model) {
  return model.norm() / std::sqrt(static_cast<double>(model.shape().entries()));
}

/// T - L - S of every entry.
std::vector<double> noise_of(const PlantedTensor& planted) {
  const TensorView view = planted.tensor.view();
  std::vector<double> rest(static_cast<std::size_t>(view.entries()));
  planted.low_rank.evaluate(ModeIndices{}, view.shape(), rest);
  for (Index k = 0; k < view.entries(); ++k) {
    rest[k] = view(view.shape().unravel(k)) - rest[k];
  }
  for (Index k = 0; k < planted.sparse.count(); ++k) {
    rest[planted.sparse.positions()[k]] -= planted.sparse.values()[k];
  }
  return rest;
}

double deviation(const std::vector<double>& numbers) {
  double squares = 0;
  for (const double x : numbers) squares += x * x;
  return std::sqrt(squares / static_cast<double>(numbers.size()));
}

TEST(PlantedStructure, OffsetIsAComponentOfItsOwn) {
  PlantedOptions options = clean();
  const double size = rms(generate_planted(options).low_rank);
  options.offset = -20;
  options.noise = 0.1;
  const PlantedTensor planted = generate_planted(options);
  ASSERT_EQ(planted.low_rank.rank(), 4);
  EXPECT_NEAR(rms(planted.low_rank), 20 * size, size);
  // The unit of the noise is the rms of L without the offset.
  EXPECT_NEAR(deviation(noise_of(planted)), 0.1 * size, 0.002 * size);
  double mean = 0;
  for (const double x : planted.tensor.typed<double>()) mean += x / 60000;
  EXPECT_NEAR(mean, -20 * size, 0.1 * size);
}

TEST(PlantedStructure, CollinearColumnsHaveTheCosineInAllModes) {
  PlantedOptions options = clean();
  options.collinear = 0.9;
  const CpModel model = generate_planted(options).low_rank;
  for (const Matrix& factor : model.factors()) {
    const Matrix cosines = factor.transpose() * factor;
    for (Index r = 0; r < 3; ++r) {
      for (Index s = 0; s < 3; ++s) EXPECT_NEAR(cosines(r, s), r == s ? 1 : 0.9, 1e-12);
    }
  }
}

TEST(PlantedStructure, WeightsAreGivenByKindRatioOrList) {
  const auto weights = [](auto&& set) {
    PlantedOptions options = clean();
    set(options);
    const Vector found = generate_planted(options).low_rank.weights();
    return std::vector<double>(found.begin(), found.end());
  };
  const auto expect_near = [](const std::vector<double>& found, const std::vector<double>& right) {
    ASSERT_EQ(found.size(), right.size());
    for (std::size_t k = 0; k < right.size(); ++k) EXPECT_NEAR(found[k], right[k], 1e-15);
  };
  expect_near(weights([](auto& o) { o.weights = WeightKind::geometric; }), {1, 0.1, 0.01});
  expect_near(weights([](auto& o) { o.weight_list = {0.5}; }), {1, 0.5, 0.25});
  expect_near(weights([](auto& o) { o.weight_list = {1, 0.6, 0.07}; }), {1, 0.6, 0.07});
}

TEST(PlantedStructure, ColumnsHaveOnePeakOfTheWidth) {
  PlantedOptions options = clean(Shape{20, 200, 100});
  options.peaks = 0.03;
  const CpModel model = generate_planted(options).low_rank;
  EXPECT_GT(model.factor(0).minCoeff(), 0);
  for (const int mode : {1, 2}) {
    const Matrix& factor = model.factor(mode);
    for (Index r = 0; r < 3; ++r) {
      // A Gaussian bump has sqrt(-2 log 0.5) = 1.18 widths on either side above half its height.
      const Index high = (factor.col(r).array() > factor.col(r).maxCoeff() / 2).count();
      EXPECT_NEAR(static_cast<double>(high), 2.355 * 0.03 * static_cast<double>(factor.rows()), 2);
    }
  }
}

TEST(PlantedStructure, SparseFactorsArePositiveAndHaveTheShare) {
  PlantedOptions options = clean(Shape{900, 40, 30});
  options.sparse_factors = 0.3;
  const CpModel model = generate_planted(options).low_rank;
  for (const Matrix& factor : model.factors()) {
    EXPECT_GE(factor.minCoeff(), 0);
    EXPECT_GT(factor.colwise().norm().minCoeff(), 0.99);
  }
  const Index positive = (model.factor(0).array() > 0).count();
  EXPECT_NEAR(test::share(positive, 2700), 0.3, test::five_sigma(0.3, 2700));
  // Even if nearly nothing is to stay, no column is zero.
  options.sparse_factors = 1e-9;
  const CpModel few = generate_planted(options).low_rank;
  for (const Matrix& factor : few.factors()) {
    EXPECT_EQ((factor.array() > 0).count(), 3);
  }
}

TEST(PlantedStructure, HeavyRowsAreATwentieth) {
  PlantedOptions options = clean();
  const CpModel before = generate_planted(options).low_rank;
  options.heavy = 100;
  const CpModel after = generate_planted(options).low_rank;
  for (int mode = 0; mode < 3; ++mode) {
    const Eigen::ArrayXd ratio =
        after.factor(mode).col(0).array() / before.factor(mode).col(0).array();
    const Index heavy = (ratio > 10 * ratio.minCoeff()).count();
    EXPECT_EQ(heavy, before.factor(mode).rows() / 20);
  }
}

TEST(PlantedStructure, DropoutsAreZeroAndInS) {
  PlantedOptions options = clean();
  options.dropout = 0.3;
  options.noise = 0.1;
  const PlantedTensor planted = generate_planted(options);
  const auto values = planted.tensor.typed<double>();
  const Index zeros = std::count(values.begin(), values.end(), 0.0);
  EXPECT_NEAR(test::share(zeros, 60000), 0.3, test::five_sigma(0.3, 60000));
  EXPECT_EQ(planted.sparse.count(), zeros);
  for (const Index position : planted.sparse.positions()) EXPECT_EQ(values[position], 0);
  EXPECT_NEAR(deviation(noise_of(planted)), 0.1 * rms(planted.low_rank),
              0.002 * rms(planted.low_rank));
}

TEST(PlantedStructure, SaturationCutsOffAtTheQuantiles) {
  PlantedOptions options = clean();
  options.saturate_low = 0.1;
  options.saturate_high = 0.8;
  const PlantedTensor planted = generate_planted(options);
  const auto values = planted.tensor.typed<double>();
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  EXPECT_NEAR(test::share(std::count(values.begin(), values.end(), *low), 60000), 0.1, 0.01);
  EXPECT_NEAR(test::share(std::count(values.begin(), values.end(), *high), 60000), 0.2, 0.01);
  EXPECT_NEAR(test::share(planted.sparse.count(), 60000), 0.3, 0.015);
  EXPECT_LT(deviation(noise_of(planted)), 1e-15);
}

TEST(PlantedStructure, BadSamplesAreWholeSlices) {
  for (const BadSampleKind kind : {BadSampleKind::garbage, BadSampleKind::model}) {
    PlantedOptions options = clean();
    options.bad_samples = 0.2;
    options.bad_kind = kind;
    const PlantedTensor planted = generate_planted(options);
    std::vector<Index> changed(40);
    for (const Index position : planted.sparse.positions()) ++changed[position / 1500];
    EXPECT_EQ(std::count(changed.begin(), changed.end(), 1500), 8);
    EXPECT_EQ(std::count(changed.begin(), changed.end(), 0), 32);
    EXPECT_GT(deviation({planted.sparse.values().begin(), planted.sparse.values().end()}),
              rms(planted.low_rank));
  }
}

TEST(PlantedStructure, NoiseHasTheDeviationInEveryModel) {
  for (const NoiseKind kind : {NoiseKind::gaussian, NoiseKind::t}) {
    PlantedOptions options = clean();
    options.noise = 0.1;
    options.noise_model = kind;
    const PlantedTensor planted = generate_planted(options);
    // The fourth moment of Student's t is infinite, so its deviation is known less well.
    EXPECT_NEAR(deviation(noise_of(planted)) / rms(planted.low_rank), 0.1, 0.02);
  }
}

TEST(PlantedStructure, StudentsNoiseHasHeavierTails) {
  PlantedOptions options = clean();
  options.noise = 0.1;
  const auto far = [&](NoiseKind kind) {
    options.noise_model = kind;
    const PlantedTensor planted = generate_planted(options);
    const double limit = 0.5 * rms(planted.low_rank);
    const std::vector<double> noise = noise_of(planted);
    return std::count_if(noise.begin(), noise.end(), [&](double x) { return std::abs(x) > limit; });
  };
  EXPECT_EQ(far(NoiseKind::gaussian), 0);
  EXPECT_GT(far(NoiseKind::t), 100);
}

TEST(PlantedStructure, SlicesDifferInNoise) {
  PlantedOptions options = clean();
  options.noise = 0.1;
  options.noise_model = NoiseKind::hetero;
  const std::vector<double> noise = noise_of(generate_planted(options));
  double least = 1e300;
  double most = 0;
  for (std::size_t i = 0; i < 40; ++i) {
    const double d = deviation({noise.begin() + 1500 * i, noise.begin() + 1500 * (i + 1)});
    least = std::min(least, d);
    most = std::max(most, d);
  }
  EXPECT_GT(most / least, 5);
  EXPECT_LT(most / least, 12);
}

TEST(PlantedStructure, ProportionalNoiseGrowsWithTheSignal) {
  PlantedOptions options = clean();
  options.noise = 0.1;
  options.noise_model = NoiseKind::proportional;
  const PlantedTensor planted = generate_planted(options);
  const std::vector<double> noise = noise_of(planted);
  std::vector<double> signal(noise.size());
  planted.low_rank.evaluate(ModeIndices{}, planted.tensor.shape(), signal);
  const double unit = rms(planted.low_rank);
  std::vector<double> small;
  std::vector<double> large;
  for (std::size_t k = 0; k < noise.size(); ++k) {
    if (std::abs(signal[k]) < 0.1 * unit) small.push_back(noise[k]);
    if (std::abs(signal[k]) > 2 * unit) large.push_back(noise[k] / signal[k]);
  }
  EXPECT_NEAR(deviation(small) / unit, 0.05, 0.005);
  EXPECT_NEAR(deviation(large), 0.1, 0.01);
}

TEST(PlantedStructure, CountsHaveTheMeanThatTheNoiseImplies) {
  PlantedOptions options = clean();
  options.factors = FactorKind::nonnegative;
  options.noise_model = NoiseKind::poisson;
  options.support = Support::uniform;
  options.noise = 0.5;
  const PlantedTensor planted = generate_planted(options);
  double mean = 0;
  for (const double x : planted.tensor.typed<double>()) {
    EXPECT_EQ(x, std::round(x));
    EXPECT_GE(x, 0);
  }
  std::vector<double> signal(60000);
  planted.low_rank.evaluate(ModeIndices{}, planted.tensor.shape(), signal);
  for (const double x : signal) mean += x / 60000;
  EXPECT_NEAR(mean, 4, 1e-9);
  EXPECT_NEAR(deviation(noise_of(planted)), 2, 0.1);
}

TEST(PlantedStructure, PoissonQuantilesInvertTheDistribution) {
  // From tables of the Poisson distribution: P(X <= 2; 2.5) = 0.5438, P(X <= 0; 0.2) = 0.8187.
  EXPECT_EQ(poisson_quantile(0.54, 2.5), 2);
  EXPECT_EQ(poisson_quantile(0.55, 2.5), 3);
  EXPECT_EQ(poisson_quantile(0.81, 0.2), 0);
  EXPECT_EQ(poisson_quantile(0.82, 0.2), 1);
  EXPECT_EQ(poisson_quantile(0.5, 0), 0);
  // The two ways to find them agree where they meet.
  for (const double p : {0.001, 0.1, 0.3, 0.5, 0.9, 0.999}) {
    EXPECT_NEAR(poisson_quantile(p, 199.99), poisson_quantile(p, 200.01), 1) << p;
  }
}

}  // namespace
}  // namespace sunder
