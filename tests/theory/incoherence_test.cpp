#include "sunder/theory/incoherence.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "planted_problem.hpp"

namespace sunder {
namespace {

/// The columns e_1 and e_2 in every mode, the most and the flat ones the least coherent.
TEST(Incoherence, OfSpikesAndOfFlatColumns) {
  Matrix spikes = Matrix::Zero(16, 2);
  spikes(3, 0) = 5;
  spikes(4, 1) = -2;
  const Incoherence spiked =
      measure_incoherence(CpModel(Vector::Ones(2), {spikes, spikes, spikes}));
  EXPECT_DOUBLE_EQ(spiked.mu, 4);
  EXPECT_EQ(spiked.orthogonality_defect, 0);
  EXPECT_DOUBLE_EQ(spiked.smallest_weight, 8);
  EXPECT_DOUBLE_EQ(spiked.largest_weight, 125);
  EXPECT_TRUE(spiked.condition_holds());

  const Matrix flat = Matrix::Constant(9, 1, 0.1);
  EXPECT_DOUBLE_EQ(measure_incoherence(CpModel(Vector::Ones(1), {flat, flat})).mu, 1);
}

TEST(Incoherence, EachModeByItself) {
  const CpModel model = test::random_model({20, 30, 12}, 4, 3);
  const Incoherence found = measure_incoherence(model);
  for (int mode = 0; mode < 3; ++mode) {
    double mu = 0;
    double defect = 0;
    const Matrix& factor = model.factor(mode);
    for (Index i = 0; i < 4; ++i) {
      const Vector u = factor.col(i) / factor.col(i).norm();
      mu = std::max(mu, std::sqrt(static_cast<double>(u.size())) * u.cwiseAbs().maxCoeff());
      for (Index j = 0; j < i; ++j) {
        defect = std::max(defect, std::abs(u.dot(factor.col(j)) / factor.col(j).norm()));
      }
    }
    EXPECT_NEAR(found.mu_of_mode[mode], mu, 1e-12);
    EXPECT_NEAR(found.defect_of_mode[mode], defect, 1e-12);
    EXPECT_GE(found.mu, mu - 1e-12);
    EXPECT_GE(found.orthogonality_defect, defect - 1e-12);
  }
  EXPECT_FALSE(found.condition_holds()) << "Gaussian columns are not orthogonal";
}

TEST(Incoherence, ConditionLOfPlantedModels) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    PlantedOptions options = test::small_problem(seed);
    EXPECT_TRUE(measure_incoherence(generate_planted(options).low_rank).condition_holds());
    options.zero_rows = 0.7;
    const double few_rows = measure_incoherence(generate_planted(options).low_rank).mu;
    options.zero_rows = 0;
    EXPECT_GT(few_rows, measure_incoherence(generate_planted(options).low_rank).mu);
    options.factors = FactorKind::gaussian;
    EXPECT_FALSE(measure_incoherence(generate_planted(options).low_rank).condition_holds());
  }
}

TEST(Incoherence, WithoutComponents) {
  const Incoherence found = measure_incoherence(CpModel::zero({4, 5, 6}));
  EXPECT_EQ(found.rank, 0);
  EXPECT_EQ(found.mu, 0);
  EXPECT_FALSE(found.condition_holds());
}

}  // namespace
}  // namespace sunder
