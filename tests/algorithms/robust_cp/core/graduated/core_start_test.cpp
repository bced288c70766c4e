#include "algorithms/robust_cp/core/graduated/core_start.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/core/core_statistics.hpp"
#include "algorithms/robust_cp/planted_core.hpp"
#include "core/dense.hpp"

namespace sunder::robust {
namespace {

TEST(CoreStart, OutliersAreClippedAndTheMeanIsTakenOff) {
  auto planted = test::planted_core({12, 12, 12}, 2, {.density = 0.1}, 1);
  planted.core.values[7] = 1e9;
  const std::vector<Index> entries = informative(planted.core);
  const double unit = spread(planted.core, thinned(entries));
  const Entries X = clipped_and_centred(planted.core, entries, unit);
  EXPECT_LT(X.abs().maxCoeff(), 21 * unit);
  EXPECT_LT(std::abs(X.mean()), 1e-12);
}

TEST(CoreStart, AMeanThatIsNearlyAllThereIsStays) {
  DenseCore core;
  core.shape = Shape{10, 10, 10};
  Rng rng(2);
  core.values = Entries::NullaryExpr(1000, [&] { return 5 + 0.1 * rng.normal(); });
  const std::vector<Index> entries = informative(core);
  EXPECT_NEAR(clipped_and_centred(core, entries, spread(core, entries)).mean(), 5, 0.02);
}

/// Their place is zero; the others are scaled up, so that sums over all entries are right.
TEST(CoreStart, MissingEntriesAreMadeUpFor) {
  const auto planted = test::planted_core({14, 14, 14}, 2, {.density = 0, .missing = 0.5}, 3);
  const std::vector<Index> entries = informative(planted.core);
  const Entries X = clipped_and_centred(planted.core, entries, 100);
  EXPECT_EQ(((1 - planted.core.observed) * X).abs().maxCoeff(), 0);
  const Entries L = evaluate(planted.truth);
  EXPECT_NEAR((X * L).sum() / L.square().sum(), 1, 0.1);
}

TEST(CoreStart, OfATensorOfLowRankItIsTheModel) {
  for (const Shape& shape : {Shape{12, 13, 14}, Shape{9, 8, 7, 6}, Shape{3, 20, 20}}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const Factors truth = test::normal_factors(shape, 3, seed);
      Rng rng(seed);
      Monitor monitor;
      const Factors found = subspace_start(shape, evaluate(truth), 3, rng, monitor);
      EXPECT_LT(distance(found, truth), 0.05 * norm(truth)) << to_string(shape) << ' ' << seed;
    }
  }
}

TEST(CoreStart, OfAMatrixItIsTheBestApproximation) {
  Rng rng(4);
  const Matrix matrix = Matrix::NullaryExpr(12, 10, [&] { return rng.normal(); });
  Entries entries(120);
  Eigen::Map<RowMatrix>(entries.data(), 12, 10) = matrix;
  Monitor monitor;
  const Factors found = subspace_start(Shape{12, 10}, entries, 3, rng, monitor);
  const Vector values = thin_svd(matrix, SingularVectors::none).values;
  EXPECT_NEAR((matrix - found[0] * found[1].transpose()).norm(), values.tail(7).norm(), 1e-12);
}

TEST(CoreStart, ARankAboveAnExtentKeepsWhatThereIs) {
  const Factors truth = test::normal_factors({2, 12, 12}, 2, 5);
  Rng rng(5);
  Monitor monitor;
  const Factors found = subspace_start({2, 12, 12}, evaluate(truth), 4, rng, monitor);
  ASSERT_EQ(found.front().cols(), 4);
  EXPECT_LT(distance(found, truth), 0.05 * norm(truth));
}

}  // namespace
}  // namespace sunder::robust
