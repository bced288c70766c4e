#include "sunder/study/comparison.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planted_problem.hpp"
#include "sunder/algorithms/method.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

PlantedTensor problem(Support support, std::uint64_t seed) {
  PlantedOptions options = test::small_problem(seed);
  options.shape = Shape{30, 30, 30};
  options.rank = 2;
  options.support = support;
  options.density = support == Support::block ? 0.25 : 0.1;
  options.blocks = 5;
  return generate_planted(options);
}

ComparisonOptions quick(std::vector<std::string> methods) {
  ComparisonOptions options;
  options.methods = std::move(methods);
  options.rank = 2;
  options.threads = 1;
  return options;
}

TEST(Comparison, RanksByTheErrorWhereTheTruthIsKnown) {
  const PlantedTensor planted = problem(Support::block, 1);
  ComparisonOptions options = quick({"altproj-flat", "robust-cp"});
  options.true_low_rank = &planted.low_rank;
  options.true_sparse = &planted.sparse;
  const Comparison comparison = compare_methods(planted.tensor.view(), options);
  ASSERT_EQ(comparison.rows.size(), 2U);
  EXPECT_EQ(comparison.rows[0].method, "robust-cp");
  EXPECT_LT(*comparison.rows[0].error, 1e-10);
  EXPECT_EQ(comparison.rows[0].certified, Certified::exact);
  EXPECT_GT(*comparison.rows[1].error, *comparison.rows[0].error);
  EXPECT_EQ(comparison.rows[0].precision, 1);
}

TEST(Comparison, JudgesByHiddenEntriesWithoutATruth) {
  const PlantedTensor planted = problem(Support::uniform, 2);
  const Comparison comparison =
      compare_methods(planted.tensor.view(), quick({"altproj-slice", "robust-cp"}));
  EXPECT_EQ(comparison.rows[0].method, "robust-cp");
  EXPECT_FALSE(comparison.rows[0].error);
  EXPECT_LT(*comparison.rows[0].held_out, 1e-8);
  EXPECT_GT(*comparison.rows[1].held_out, *comparison.rows[0].held_out);
}

TEST(Comparison, GivesTheRightAdvice) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    EXPECT_THAT(
        compare_methods(problem(Support::block, seed).tensor.view(), quick({"robust-cp"})).advice,
        ::testing::HasSubstr("block-structured"))
        << "seed " << seed;
    EXPECT_THAT(
        compare_methods(problem(Support::uniform, seed).tensor.view(), quick({"robust-cp"})).advice,
        ::testing::HasSubstr("scattered"))
        << "seed " << seed;
  }
}

TEST(Comparison, HasARowForWhatFails) {
  const PlantedTensor planted = problem(Support::uniform, 3);
  ComparisonOptions options = quick({"rtd", "rtd-whiten-true", "rtd-als", "robust-cp"});
  options.pass_limit = 3;
  const Comparison comparison = compare_methods(planted.tensor.view(), options);
  ASSERT_EQ(comparison.rows.size(), 4U);
  EXPECT_EQ(comparison.rows[0].method, "robust-cp");
  EXPECT_EQ(comparison.rows[1].method, "rtd-als");
  EXPECT_EQ(comparison.rows[1].status, ComparisonRow::Status::over_budget);
  EXPECT_EQ(comparison.rows[1].message, "more than 3 passes");
  for (const std::size_t k : {std::size_t{2}, std::size_t{3}}) {
    EXPECT_EQ(comparison.rows[k].status, ComparisonRow::Status::failed);
    EXPECT_FALSE(comparison.rows[k].message.empty());
  }
}

TEST(Comparison, ReadsBytes) {
  DenseTensor tensor(Shape{20, 20, 20}, ScalarType::u8);
  Rng rng(1);
  for (auto& x : tensor.typed<std::uint8_t>()) x = static_cast<std::uint8_t>(40 + rng.below(3));
  ComparisonOptions options = quick({"robust-cp"});
  options.rank = 1;
  const Comparison comparison = compare_methods(tensor.view(), options);
  EXPECT_EQ(comparison.rows[0].status, ComparisonRow::Status::finished);
  EXPECT_LT(*comparison.rows[0].held_out, 0.1);
}

TEST(Comparison, RefusesWhatItCannotUseAndStopsOnRequest) {
  const PlantedTensor planted = problem(Support::uniform, 4);
  const TensorView tensor = planted.tensor.view();
  EXPECT_THROW(compare_methods(tensor, quick({"no-such-method"})), OptionError);
  ComparisonOptions options = quick({"robust-cp"});
  options.time_limit = 0;
  EXPECT_THROW(compare_methods(tensor, options), OptionError);
  options = quick({"robust-cp"});
  options.held_out = 0.9;
  EXPECT_THROW(compare_methods(tensor, options), OptionError);
  options = quick({"rtd-als"});
  options.progress = [](const Progress&) { return Continue::cancel; };
  EXPECT_THROW(compare_methods(tensor, options), Cancelled);
}

}  // namespace
}  // namespace sunder
