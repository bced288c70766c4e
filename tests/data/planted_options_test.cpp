#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "sunder/core/error.hpp"
#include "sunder/data/planted.hpp"

namespace sunder {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Mistake {
  std::function<void(PlantedOptions&)> make;
  std::string named;  ///< what the message must mention
};

TEST(PlantedOptions, EachMistakeIsNamed) {
  const std::vector<Mistake> mistakes{
      {[](auto& o) { o.rank = 0; }, "`rank`"},
      {[](auto& o) { o.shape = Shape{5}; }, "`shape`"},
      {[](auto& o) {
         o.shape = Shape{5, 0, 5};
       },
       "5 x 0 x 5"},
      {[](auto& o) { o.density = -0.1; }, "`density`"},
      {[](auto& o) { o.density = 1.1; }, "`density`"},
      {[](auto& o) { o.density = nan; }, "`density`"},
      {[](auto& o) { o.missing = 2; }, "`missing`"},
      {[](auto& o) { o.zero_rows = -1; }, "`zero-rows`"},
      {[](auto& o) { o.noise = -1; }, "`noise`"},
      {[](auto& o) { o.noise = nan; }, "`noise`"},
      {[](auto& o) { o.noise = infinity; }, "`noise`"},
      {[](auto& o) { o.magnitude = 0; }, "`magnitude`"},
      {[](auto& o) { o.magnitude = infinity; }, "`magnitude`"},
      {[](auto& o) { o.support = Support::block, o.blocks = 0; }, "`blocks`"},
      {[](auto& o) {
         o.symmetric = true, o.shape = Shape{5, 6, 5};
       },
       "`symmetric`"},
      {[](auto& o) {
         o.factors = FactorKind::orthonormal, o.shape = Shape{9, 4};
       },
       "orthonormal"},
      {[](auto& o) { o.rotate = nan; }, "`rotate`"},
      {[](auto& o) { o.change_at = -1; }, "`change-at`"},
      {[](auto& o) { o.change_at = o.shape[2]; }, "`change-at`"},
      {[](auto& o) { o.symmetric = true, o.rotate = 1; }, "`symmetric`"},
      {[](auto& o) { o.type = ScalarType::u8; }, "u8"},
      {[](auto& o) { o.collinear = 1; }, "`collinear`"},
      {[](auto& o) { o.collinear = 0.9, o.rank = 100; }, "101"},
      {[](auto& o) { o.peaks = -1; }, "`peaks`"},
      {[](auto& o) { o.sparse_factors = 1.5; }, "`sparse-factors`"},
      {[](auto& o) { o.peaks = 0.1, o.collinear = 0.5; }, "choose one"},
      {[](auto& o) { o.peaks = 0.1, o.zero_rows = 0.5; }, "`zero-rows`"},
      {[](auto& o) { o.heavy = 0; }, "`heavy`"},
      {[](auto& o) { o.offset = infinity; }, "`offset`"},
      {[](auto& o) {
         o.weight_list = {1, 0.5};
       },
       "5 numbers"},
      {[](auto& o) { o.weight_list = {-1}; }, "`weights`"},
      {[](auto& o) { o.dropout = 2; }, "`dropout`"},
      {[](auto& o) { o.bad_samples = -0.1; }, "`bad-samples`"},
      {[](auto& o) { o.saturate_low = 0.9, o.saturate_high = 0.1; }, "`saturate`"},
      {[](auto& o) { o.noise_model = NoiseKind::poisson; }, "`noise`"},
      {[](auto& o) { o.noise_model = NoiseKind::poisson, o.noise = 0.5; }, "nonnegative"},
      {[](auto& o) { o.symmetric = true, o.bad_samples = 0.1; }, "`bad-samples`"},
  };
  for (const Mistake& mistake : mistakes) {
    PlantedOptions options;
    mistake.make(options);
    try {
      generate_planted(options);
      ADD_FAILURE() << "accepted a wrong " << mistake.named;
    } catch (const OptionError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(mistake.named));
    }
  }
}

TEST(PlantedOptions, WhatIsUnusualButMeaningfulIsAccepted) {
  PlantedOptions options;
  options.shape = Shape{3, 2};
  options.rank = 7;  // more than a matrix of this size can have
  options.support = Support::none;
  options.blocks = 0;
  EXPECT_NO_THROW(generate_planted(options));
  options.density = 1;
  options.missing = 1;
  options.zero_rows = 1;
  EXPECT_NO_THROW(generate_planted(options));
}

template <class Choice>
void expect_names_both_ways() {
  for (const auto& [value, name] : names_of<Choice>) {
    EXPECT_EQ(to_string(value), name);
    EXPECT_EQ(from_string<Choice>(name), value);
  }
  EXPECT_FALSE(from_string<Choice>("nonsense"));
}

TEST(PlantedOptions, ChoicesHaveNames) {
  expect_names_both_ways<Support>();
  expect_names_both_ways<Signs>();
  expect_names_both_ways<FactorKind>();
  expect_names_both_ways<WeightKind>();
  EXPECT_EQ(to_string(Support::block), "block");
  EXPECT_EQ(from_string<WeightKind>("decaying"), WeightKind::decaying);
}

}  // namespace
}  // namespace sunder
