#include "algorithms/robust_cp/core/exact/residual_signs.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/levels/core.hpp"
#include "algorithms/robust_cp/recipes.hpp"

namespace sunder::robust {
namespace {

constexpr double level = 1e-6;

struct Signs {
  Rng rng{7};
  Factors truth = test::normal_components({12, 13, 14}, 2, rng);
  DenseCore core;

  Signs() {
    core.shape = Shape{12, 13, 14};
    core.values = evaluate(truth);
  }
  double structure() const { return structure_of_signs(core, truth, level); }
};

/// Its size differs from entry to entry, as that of rounding does.
TEST(ResidualSigns, NoiseHasNoStructure) {
  Signs signs;
  for (double& x : signs.core.values) x += 1e-8 * (1 + std::abs(x)) * signs.rng.normal();
  EXPECT_LT(signs.structure(), 1.2);
}

TEST(ResidualSigns, AComponentBelowRoundingHasStructure) {
  Signs signs;
  Factors faint = test::normal_component(signs.core.shape, signs.rng);
  faint.front() *= 1e-8;
  signs.core.values += evaluate(faint);
  EXPECT_GT(signs.structure(), levels::rounding::structured);
  for (double& x : signs.core.values) x += signs.rng.bernoulli(0.3) ? 1 : 0;
  EXPECT_GT(signs.structure(), levels::rounding::structured);
}

TEST(ResidualSigns, NoResidualHasNone) {
  const Signs signs;
  EXPECT_EQ(structure_of_signs(signs.core, signs.truth, 0), 0);
}

}  // namespace
}  // namespace sunder::robust
