#include "algorithms/robust_cp/noise/completion/field.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/robust_cp/noise/completion/covariance.hpp"
#include "algorithms/robust_cp/noise/completion/mode_products.hpp"

namespace sunder::robust {
namespace {

Entries normals(Index count, Rng& rng) {
  return Entries::NullaryExpr(count, [&] { return rng.normal(); });
}

TEST(ModeProducts, MultiplyEveryMode) {
  const Shape shape{3, 4, 2};
  Rng rng(1);
  const Entries x = normals(24, rng);
  std::vector<Matrix> matrices;
  for (const Index extent : shape) {
    matrices.emplace_back(Matrix::NullaryExpr(extent, extent, [&] { return rng.normal(); }));
  }
  const Entries y = times(shape, matrices, x);
  const Entries back = times_transposed(shape, matrices, x);
  double expected = 0;
  double transposed = 0;
  for (Index i = 0; i < 24; ++i) {
    const ModeIndices at = shape.unravel(i);
    expected += matrices[0](2, at[0]) * matrices[1](1, at[1]) * matrices[2](0, at[2]) * x[i];
    transposed += matrices[0](at[0], 2) * matrices[1](at[1], 1) * matrices[2](at[2], 0) * x[i];
  }
  EXPECT_NEAR(y[(2 * 4 + 1) * 2], expected, 1e-12);
  EXPECT_NEAR(back[(2 * 4 + 1) * 2], transposed, 1e-12);
}

/// A random walk along the last mode, the same for all rows of the first but for noise.
TEST(Field, InterpolatesAlongSmoothModes) {
  DenseCore core;
  core.shape = Shape{8, 20, 25};
  Rng rng(2);
  Entries truth(core.shape.entries());
  for (Index j = 0; j < 20; ++j) {
    double level = rng.normal();
    for (Index k = 0; k < 25; ++k) {
      level += 0.2 * rng.normal();
      for (Index i = 0; i < 8; ++i)
        truth[(i * 20 + j) * 25 + k] = level + 0.1 * static_cast<double>(i);
    }
  }
  core.values = truth + 0.05 * normals(truth.size(), rng);
  core.observed = Entries::Ones(truth.size());
  Entries spiked = Entries::Zero(truth.size());
  for (Index i = 0; i < truth.size(); ++i) {
    if (rng.bernoulli(0.4)) {
      core.observed[i] = core.values[i] = 0;
    } else if (rng.bernoulli(0.05)) {
      core.values[i] += 8;
      spiked[i] = 1;
    }
  }
  Monitor monitor;
  const FieldFit fit = fit_field(core, core.values, core.observed, rng, monitor);
  EXPECT_EQ((spiked * fit.weights).sum(), 0) << "errors were not found";
  EXPECT_GT(fit.weights.sum(), 0.98 * (core.observed.sum() - spiked.sum()));
  const Entries gaps = 1 - core.observed;
  const double error = std::sqrt((gaps * (fit.mean - truth).square()).sum() / gaps.sum());
  const double spread = std::sqrt((truth - truth.mean()).square().mean());
  EXPECT_LT(error, spread / 5);
}

}  // namespace
}  // namespace sunder::robust
