#include "algorithms/robust_cp/certificate/conditions/directions.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/certificate/judged_model.hpp"
#include "sunder/algorithms/evaluation.hpp"
#include "sunder/algorithms/robust_cp.hpp"

namespace sunder {
namespace {

using robust::Factors;

Index rows_on_one_entry(const DenseTensor& tensor, const Factors& factors) {
  Engine engine(tensor.view(), 1);
  Rng rng(1);
  return robust::rows_on_one_entry(engine, factors, 1e-10, rng);
}

/// Two components turned against each other, which leaves their sum as it is if they are parallel
/// in all modes but the first two.
void mix(Factors& factors) {
  const double c = std::cos(0.7);
  const double s = std::sin(0.7);
  for (const std::size_t mode : {std::size_t{0}, std::size_t{1}}) {
    const Matrix old = factors[mode];
    factors[mode].col(0) = c * old.col(0) - s * old.col(1);
    factors[mode].col(1) = s * old.col(0) + c * old.col(1);
  }
}

/// A true component, and one that is at work on a corner of the first two modes only.
Factors with_corner(const Shape& shape, Index rows, Index columns) {
  Factors factors = test::random_model(shape, 2, 3).factors();
  factors[0].col(1).tail(shape[0] - rows).setZero();
  factors[1].col(1).tail(shape[1] - columns).setZero();
  for (std::size_t m = 2; m < factors.size(); ++m) factors[m].col(1) = factors[m].col(0);
  return factors;
}

TEST(Directions, AcceptWhatTheEntriesDetermine) {
  for (const Shape& shape : {Shape{60, 80}, Shape{20, 25, 30}, Shape{90, 80, 70}}) {
    Factors factors = with_corner(shape, 15, 20);
    const DenseTensor tensor = test::dense(test::model_of(factors));
    EXPECT_EQ(rows_on_one_entry(tensor, factors), 0);
    mix(factors);
    EXPECT_TRUE(robust::components_can_mix(factors));
    EXPECT_EQ(rows_on_one_entry(tensor, factors), 0);
  }
}

TEST(Directions, RefuseACornerThatNothingSupports) {
  for (const Shape& shape : {Shape{60, 80}, Shape{20, 25, 30}, Shape{90, 80, 70}}) {
    Factors factors = with_corner(shape, 15, 20);
    const DenseTensor tensor =
        test::dense(test::model_of(factors).leading(1));  // without the corner
    mix(factors);
    EXPECT_GE(rows_on_one_entry(tensor, factors), 15 + 20);
  }
}

TEST(Directions, RefuseAComponentOfASingleRow) {
  const Shape shape{60, 80};
  Factors factors = with_corner(shape, 1, 20);
  const DenseTensor tensor =
      test::dense(test::model_of(factors));  // fitted, but determined by nothing
  mix(factors);
  EXPECT_GE(rows_on_one_entry(tensor, factors), 20);
}

/// Slices and components look sound.
TEST(Directions, ACornerThatNothingSupportsLeavesNoCertificate) {
  test::JudgedModel model(with_corner({60, 80}, 15, 20));
  EXPECT_EQ(model.failed(), 0);
  model.tensor = test::dense(test::model_of(model.factors).leading(1));
  mix(model.factors);
  EXPECT_EQ(model.failed(), 7);
}

TEST(Directions, MixOnlyWhereComponentsCan) {
  EXPECT_TRUE(robust::components_can_mix(test::random_model(Shape{10, 12}, 2, 1).factors()));
  EXPECT_FALSE(robust::components_can_mix(test::random_model(Shape{10, 12}, 1, 1).factors()));
  EXPECT_FALSE(robust::components_can_mix(test::random_model(Shape{30, 30, 30}, 3, 1).factors()));
}

TEST(RobustCp, DoesNotCertifyAMatrixWhoseSurplusComponentsAreWrong) {
  int exact = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    PlantedOptions options;
    options.shape = seed % 2 == 0 ? Shape{40, 120} : Shape{80, 100};
    options.rank = 1 + static_cast<int>(seed % 2);
    options.factors = FactorKind::orthonormal;
    options.density = 0.1 + 0.1 * static_cast<double>(seed % 3 == 0);
    options.magnitude = seed % 4 < 2 ? 0.1 : 1;
    options.seed = seed;
    const PlantedTensor planted = generate_planted(options);
    RunOptions run;
    run.rank = options.rank + 2;
    run.threads = 1;
    const Decomposition result = robust_cp(planted.tensor.view(), run, {});
    if (result.certificate.level != Certified::exact) continue;
    ++exact;
    EXPECT_LT(evaluate(result, planted.low_rank, planted.sparse).error_low_rank, 1e-6)
        << "seed " << seed;
  }
  EXPECT_GT(exact, 0);
}

/// A row with zeros is fitted to rounding at every entry that its other entries do not reach, which
/// in sparse factors are most of the slice: a wrong row could pass for a fitted one.
TEST(Directions, AWrongRowBesideZerosIsNoticed) {
  Factors factors = test::random_model(Shape{20, 20, 20}, 3, 4).factors();
  EXPECT_FALSE(robust::have_zeros(factors));
  Rng rng(5);
  for (Matrix& factor : factors) {
    for (double& x : factor.reshaped()) x = rng.bernoulli(0.5) ? 0 : x;
  }
  EXPECT_TRUE(robust::have_zeros(factors));
  factors[0].row(7) << 1, 0, 0;
  const DenseTensor tensor = test::dense(CpModel(Vector::Ones(3), factors));
  EXPECT_EQ(rows_on_one_entry(tensor, factors), 0);
  factors[0](7, 0) = 1.5;
  EXPECT_EQ(rows_on_one_entry(tensor, factors), 1);
}

}  // namespace
}  // namespace sunder
