#include "algorithms/cp/cp_als.hpp"

#include <gtest/gtest.h>

#include "algorithms/entries_of.hpp"
#include "planted_problem.hpp"
#include "sunder/core/dense_tensor.hpp"

namespace sunder {
namespace {

TEST(Mttkrp, OfAModelEqualsThatOfItsEntries) {
  for (const Shape& shape : {Shape{7, 6}, Shape{5, 6, 7}, Shape{3, 4, 3, 5}}) {
    const CpModel model = test::random_model(shape, 3, 1);
    const CpModel probe = test::random_model(shape, 4, 2);
    const DenseTensor tensor = test::dense(model);
    Engine engine(tensor.view(), 1);
    const CpModel zero = CpModel::zero(shape);
    CleanedTensor entries(engine, zero, Rule::keep_all());
    for (int mode = 0; mode < shape.order(); ++mode) {
      const Matrix expected = entries.mttkrp(probe.factors(), mode);
      EXPECT_LE((mttkrp(model, probe.factors(), mode) - expected).norm(), 1e-11 * expected.norm());
    }
  }
}

TEST(CleanedTensor, IsTheDataWhereKeptAndTheModelElsewhere) {
  const Shape shape{6, 5, 4};
  const CpModel truth = test::random_model(shape, 2, 1);
  const CpModel model = test::random_model(shape, 2, 2);
  const CpModel probe = test::random_model(shape, 3, 3);
  const Rule rule = Rule::hard_threshold(2.0);
  const DenseTensor data = test::dense(truth);
  const DenseTensor low_rank = test::dense(model);
  DenseTensor cleaned(shape);
  for (std::size_t i = 0; i < static_cast<std::size_t>(shape.entries()); ++i) {
    const double t = data.typed<double>()[i];
    const double l = low_rank.typed<double>()[i];
    cleaned.typed<double>()[i] = rule.keeps(t - l) ? t : l;
  }
  Engine engine(data.view(), 1);
  Engine cleaned_engine(cleaned.view(), 1);
  const CpModel zero = CpModel::zero(shape);
  CleanedTensor implied(engine, model, rule);
  CleanedTensor formed(cleaned_engine, zero, Rule::keep_all());
  for (int mode = 0; mode < 3; ++mode) {
    EXPECT_LE((implied.mttkrp(probe.factors(), mode) - formed.mttkrp(probe.factors(), mode)).norm(),
              1e-11);
  }
}

TEST(CpAls, RecoversAnExactModelFromRandomStarts) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    PlantedOptions options = test::small_problem(seed);
    options.support = Support::none;
    const PlantedTensor planted = generate_planted(options);
    Engine engine(planted.tensor.view(), 1);
    const CpModel zero = CpModel::zero(options.shape);
    CleanedTensor tensor(engine, zero, Rule::keep_all());
    // A single start may end in a local optimum; three in a row hardly ever do.
    Rng rng(seed);
    double best = 1;
    for (int start = 0; start < 3; ++start) {
      const CpModel fit = cp_als(tensor, with_random_components(zero, options.rank, rng),
                                 {.max_sweeps = 300, .tolerance = 1e-13});
      best = std::min(best, fit.distance(planted.low_rank) / planted.low_rank.norm());
    }
    EXPECT_LT(best, 1e-9) << "seed " << seed;
  }
}

TEST(CpAls, NeverIncreasesTheResidual) {
  const PlantedTensor planted = generate_planted(test::small_problem(3));
  Engine engine(planted.tensor.view(), 1);
  const CpModel zero = CpModel::zero(planted.tensor.shape());
  CleanedTensor tensor(engine, zero, Rule::keep_all());
  Rng rng(3);
  CpModel model = with_random_components(zero, 4, rng);
  double before = std::numeric_limits<double>::infinity();
  for (int sweep = 0; sweep < 20; ++sweep) {
    model = cp_als(tensor, std::move(model), {.max_sweeps = 1, .tolerance = 0});
    const double now = engine.pass({.model = &model}).statistics.kept_square_sum;
    EXPECT_LE(now, before * (1 + 1e-12));
    before = now;
  }
}

TEST(CpAls, SurvivesParallelAndZeroComponents) {
  const CpModel truth = test::random_model(Shape{8, 7, 6}, 1, 1);
  const DenseTensor data = test::dense(truth);
  Engine engine(data.view(), 1);
  const CpModel zero = CpModel::zero(data.shape());
  CleanedTensor tensor(engine, zero, Rule::keep_all());
  const CpModel fit =
      cp_als(tensor, concatenate(truth, truth), {.max_sweeps = 20, .tolerance = 1e-12});
  EXPECT_LT(fit.distance(truth), 1e-9 * truth.norm());
  const DenseTensor nothing(data.shape());
  Engine empty(nothing.view(), 1);
  CleanedTensor zeros(empty, zero, Rule::keep_all());
  EXPECT_EQ(cp_als(zeros, truth, {}).norm(), 0);
}

TEST(CpAls, OfAMatrixGivesItsSingularValues) {
  const CpModel truth = test::random_model(Shape{9, 7}, 3, 1);
  const DenseTensor data = test::dense(truth);
  Engine engine(data.view(), 1);
  const CpModel zero = CpModel::zero(data.shape());
  CleanedTensor tensor(engine, zero, Rule::keep_all());
  Rng rng(1);
  const CpModel fit =
      cp_als(tensor, with_random_components(zero, 3, rng), {.max_sweeps = 500, .tolerance = 1e-13});
  EXPECT_LT(fit.distance(truth), 1e-9 * truth.norm());
  for (int mode = 0; mode < 2; ++mode) {
    EXPECT_TRUE((fit.factor(mode).transpose() * fit.factor(mode)).isIdentity(1e-12));
  }
  EXPECT_GE(fit.weights()[0], fit.weights()[1]);
}

TEST(WithRandomComponents, KeepsWhatIsThereAndAddsUnitColumns) {
  const CpModel model = test::random_model(Shape{8, 7}, 2, 1);
  Rng rng(1);
  const CpModel more = with_random_components(model, 5, rng);
  EXPECT_EQ(more.rank(), 5);
  EXPECT_LT(more.leading(2).distance(model), 1e-13 * model.norm());
  EXPECT_NEAR(more.factor(1).col(4).norm(), 1, 1e-14);
  EXPECT_EQ(with_random_components(model, 1, rng).rank(), 2);
}

TEST(CpAls, KeepsTheBestOfSeveralStarts) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const CpModel truth = test::random_model(Shape{12, 11, 10}, 6, seed);
    const DenseTensor tensor = test::dense(truth);
    test::EntriesOf of(tensor);
    Rng rng(seed);
    const CpModel fit = best_cp_als(of.entries, 6, 3, {.max_sweeps = 200, .tolerance = 1e-10}, rng);
    EXPECT_LE(fit.distance(truth), 1e-6 * truth.norm()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace sunder
