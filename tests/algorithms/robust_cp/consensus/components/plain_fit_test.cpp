#include "algorithms/robust_cp/consensus/components/plain_fit.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/planted_core.hpp"

namespace sunder::robust {
namespace {

TEST(PlainFit, ATensorWithoutErrorsIsFittedToRounding) {
  for (const Shape& shape : {Shape{12, 13, 14}, Shape{7, 8, 6, 7}}) {
    for (const double missing : {0.0, 0.2}) {
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const auto planted = test::planted_core(shape, 3, {.density = 0, .missing = missing}, seed);
        Rng rng(seed);
        Monitor monitor;
        const Factors factors = plain_fit(planted.core, 3, rng, monitor);
        EXPECT_EQ(factors.front().cols(), 3);
        EXPECT_LT(planted.error(factors), 1e-10)
            << to_string(shape) << ", missing " << missing << ", seed " << seed;
      }
    }
  }
}

TEST(PlainFit, LeastSquaresNeverRaisesTheSumOfSquares) {
  const auto planted = test::planted_core({10, 11, 12}, 2, {.density = 0.1}, 4);
  Monitor monitor;
  const Factors start = test::normal_factors({10, 11, 12}, 2, 9);
  const Factors factors = least_squares(planted.core, start, monitor);
  EXPECT_LT(residual(planted.core, factors).square().sum(),
            residual(planted.core, start).square().sum());
  EXPECT_LE(residual(planted.core, factors).square().sum(),
            residual(planted.core, planted.truth).square().sum());
}

}  // namespace
}  // namespace sunder::robust
