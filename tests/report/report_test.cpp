#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "report/markup.hpp"
#include "report/page_assets.hpp"
#include "report/run_figures.hpp"
#include "report/sample_run.hpp"
#include "sunder/core/dense_tensor.hpp"

namespace sunder {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

using testing::not_a_number;

// What holds for every page, whatever it shows.
void expect_sound(const std::string& page) {
  EXPECT_EQ(testing::markup_fault(page), "");
  std::string ours = testing::without(page, chart_library.text);
  EXPECT_THAT(ours, Not(HasSubstr("http://")));
  EXPECT_THAT(ours, Not(HasSubstr("https://")));
  ours = testing::without(testing::without(ours, page_script.text), page_style.text);
  EXPECT_THAT(ours, Not(HasSubstr("nan")));
  EXPECT_THAT(ours, Not(HasSubstr("inf ")));
  EXPECT_THAT(ours, Not(HasSubstr("<script>a")));
  EXPECT_LT(page.size(), 5'000'000u);
}

TEST(MarkupFault, FindsWhatItShould) {
  EXPECT_EQ(testing::markup_fault("<!DOCTYPE html><a b=\"c>d\"><e/></a>"), "");
  EXPECT_NE(testing::markup_fault("<a><b></a></b>"), "");
  EXPECT_NE(testing::markup_fault("<a>"), "");
  EXPECT_NE(testing::markup_fault("</a>"), "");
  EXPECT_NE(testing::markup_fault("<a <b></a>"), "");
}

TEST(Report, ShowsTheNoiseAndBadSamplesWhereTheyAreKnown) {
  const std::string page = render_report(testing::sample_run(), testing::noisy_result());
  expect_sound(page);
  for (const char* expected : {"The noise", "Slices that do not obey the model", "another model",
                               "gross errors", "The tails of the noise are heavy"}) {
    EXPECT_THAT(page, HasSubstr(expected));
  }
  Decomposition good = testing::noisy_result();
  good.flagged_slices.clear();
  EXPECT_THAT(render_report(testing::sample_run(), good), HasSubstr("No slice has far fewer"));
  EXPECT_THAT(render_report(testing::sample_run(), testing::sample_result()),
              Not(HasSubstr("The noise")));
}

TEST(Report, HasEverySection) {
  RunDescription run = testing::sample_run();
  run.evaluation = testing::sample_evaluation();
  const std::string page = render_report(run, testing::sample_result());
  expect_sound(page);
  for (const char* expected : {"measurement.npy",
                               "Converged",
                               "Certified exact",
                               "30 × 20 × 10",
                               "What was found",
                               "Every slice has 90 % of its entries fitted.",
                               "Convergence",
                               "Components",
                               "Factors",
                               "Where S lies",
                               "Against the truth",
                               "not found",
                               "Options",
                               "geometric",
                               "NumPy",
                               "MATLAB or Octave",
                               "Content-Security-Policy",
                               "default-src 'none'",
                               "prefers-color-scheme: dark",
                               "@media print",
                               "There are no pictures of slices"}) {
    EXPECT_THAT(page, HasSubstr(expected));
  }
}

TEST(Report, TruthOnlyWhereItIsKnown) {
  const std::string page = render_report(testing::sample_run(), testing::sample_result());
  expect_sound(page);
  EXPECT_THAT(page, Not(HasSubstr("truth")));
  EXPECT_THAT(page, Not(HasSubstr("cosine")));
}

TEST(Report, EscapesWhatComesFromOutside) {
  const std::string hostile = "<img src=x onerror=\"alert('1')\">";
  RunDescription run = testing::sample_run();
  run.input = run.method = run.dtype = hostile;
  run.options = {{hostile, hostile}};
  Decomposition result = testing::sample_result();
  result.certificate.explanation = hostile;
  result.trace[0].stage = hostile;
  const std::string page = render_report(run, result, {{}, shape_of(result), hostile});
  expect_sound(page);
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, HasSubstr("&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;"));
}

TEST(Report, SurvivesInvalidUtf8) {
  RunDescription run = testing::sample_run();
  run.input = std::string("caf\xE9\0.npy", 9);
  const std::string page = render_report(run, testing::sample_result());
  expect_sound(page);
  EXPECT_EQ(page.find('\xE9'), std::string::npos);
  EXPECT_EQ(page.find('\0'), std::string::npos);
}

TEST(Report, EveryOutcomeAndCertificateHasWords) {
  Decomposition result = testing::sample_result();
  for (const auto& [outcome, words] : {std::pair{Outcome::converged, "Converged"},
                                       {Outcome::iteration_limit, "Stopped at the limit"},
                                       {Outcome::stalled, "Stalled"},
                                       {Outcome::ambiguous, "Ambiguous"},
                                       {Outcome::cancelled, "Cancelled"}}) {
    result.outcome = outcome;
    EXPECT_THAT(render_report(testing::sample_run(), result), HasSubstr(words));
  }
  for (const auto& [level, words] : {std::pair{Certified::none, "Not certified"},
                                     {Certified::consistent, "Consistent with the data"},
                                     {Certified::exact, "Certified exact"}}) {
    result.certificate.level = level;
    EXPECT_THAT(render_report(testing::sample_run(), result), HasSubstr(words));
  }
}

TEST(Report, ConvergenceIsTheTrace) {
  const Decomposition result = testing::sample_result();
  const std::string page = render_report(testing::sample_run(), result);
  const nlohmann::json plot = testing::section_data(page, "curves")[0]["plots"][0];
  ASSERT_EQ(plot["curves"].size(), 4u);
  for (std::size_t k = 0; k < result.trace.size(); ++k) {
    const TraceRecord& record = result.trace[k];
    EXPECT_EQ(plot["curves"][0]["x"][0][k], k + 1);
    EXPECT_EQ(plot["curves"][0]["x"][1][k], record.pass);
    const double shown[] = {record.change, record.kept_residual, record.threshold,
                            record.sparse_fraction};
    for (std::size_t c = 0; c < 4; ++c) {
      EXPECT_NEAR(plot["curves"][c]["y"][k], shown[c], 1e-5 * shown[c]);
    }
  }
}

TEST(Report, FactorsAreThoseOfEveryComponentAndMode) {
  const Decomposition result = testing::sample_result();
  const std::string page = render_report(testing::sample_run(), result);
  const nlohmann::json factors = testing::section_data(page, "curves")[2];
  ASSERT_EQ(factors["choices"][0]["options"].size(), 3u);
  ASSERT_EQ(factors["plots"].size(), 9u);
  for (std::size_t mode = 0; mode < 3; ++mode) {
    const Matrix& factor = result.low_rank.factors()[mode];
    const nlohmann::json y = factors["plots"][3 + mode]["curves"][0]["y"];  // component 1
    ASSERT_EQ(y.size(), static_cast<std::size_t>(factor.rows()));
    for (std::size_t i = 0; i < y.size(); ++i) {
      EXPECT_NEAR(y[i], factor(static_cast<Index>(i), 1), 1e-5);
    }
  }
}

ReportPictures pictures_of(const TensorView& tensor, const Decomposition& result) {
  return {sample_slices(tensor, result.low_rank, result.sparse), tensor.shape(), ""};
}

TEST(Report, SlicesShowTLAndSWithOneScaleForTheFirstTwo) {
  const Decomposition result = testing::sample_result();
  const DenseTensor tensor(shape_of(result));
  const std::string page =
      render_report(testing::sample_run(), result, pictures_of(tensor.view(), result));
  expect_sound(page);
  const nlohmann::json slices = testing::section_data(page, "images")[0];
  ASSERT_EQ(slices["views"].size(), 3u);
  for (const nlohmann::json& view : slices["views"]) {
    const nlohmann::json& stacks = view["stacks"];
    ASSERT_EQ(stacks.size(), 3u);
    EXPECT_EQ(stacks[0]["high"], stacks[1]["high"]);
    EXPECT_EQ(stacks[0]["low"].get<double>(), -stacks[0]["high"].get<double>());
    EXPECT_EQ(stacks[2]["low"].get<double>(), -stacks[2]["high"].get<double>());
    EXPECT_EQ(stacks[0]["codes"].get<std::string>().size(), 8000u);  // 6000 bytes
  }
  EXPECT_THAT(page, HasSubstr("Size of the residual T - L"));
}

TEST(Report, WhatIsSampledIsSaid) {
  const Shape shape{300, 250, 3, 3};
  const Decomposition result = testing::sample_result(shape, 2);
  const DenseTensor tensor(shape, ScalarType::u8);
  const std::string page =
      render_report(testing::sample_run(), result, pictures_of(tensor.view(), result));
  expect_sound(page);
  const std::string note = testing::section_data(page, "images")[0]["views"][2]["note"];
  EXPECT_EQ(note,
            "Rows: index of mode 0. Columns: index of mode 1. Mode 3 is fixed at its middle, 1. Of "
            "the 300 rows, one in 3 is shown. Of the 250 columns, one in 3 is shown.");
}

TEST(ReportDegenerate, NothingAtAll) { expect_sound(render_report({}, {})); }

TEST(ReportDegenerate, RankZeroAndEmptyS) {
  Decomposition result;
  result.low_rank = CpModel::zero({4, 5});
  result.set_sparse(SparseTensor(Shape{4, 5}));
  const std::string page = render_report(testing::sample_run(), result);
  expect_sound(page);
  EXPECT_THAT(page, HasSubstr("L is zero"));
  EXPECT_THAT(page, HasSubstr("S is empty"));
  EXPECT_THAT(page, HasSubstr("recorded no iterations"));
}

TEST(ReportDegenerate, ZeroWeights) {
  Decomposition result = testing::sample_result();
  result.low_rank = CpModel(Vector::Zero(3), result.low_rank.factors());
  expect_sound(render_report(testing::sample_run(), result));
}

TEST(ReportDegenerate, NumbersThatAreNone) {
  Decomposition result = testing::sample_result();
  for (TraceRecord& record : result.trace) record.change = not_a_number;
  result.trace[3].kept_residual = std::numeric_limits<double>::infinity();
  result.trace.back().kept_residual = not_a_number;
  Matrix factor = result.low_rank.factor(0);
  factor(2, 0) = not_a_number;
  Vector weights = result.low_rank.weights();
  weights[1] = not_a_number;
  result.low_rank =
      CpModel(weights, {factor, result.low_rank.factor(1), result.low_rank.factor(2)});
  result.seconds = not_a_number;
  RunDescription run = testing::sample_run();
  run.evaluation = testing::sample_evaluation();
  run.evaluation->error_low_rank = not_a_number;
  expect_sound(render_report(run, result));
}

TEST(ReportDegenerate, ExtremeValuesInS) {
  const double largest = std::numeric_limits<double>::max();
  Decomposition result = testing::sample_result({6, 5}, 1);
  result.set_sparse(SparseTensor({6, 5}, {0, 3, 7, 9}, {largest, -largest, not_a_number, 5e-324}));
  expect_sound(render_report(testing::sample_run(), result));
}

TEST(ReportDegenerate, LowestAndHighestOrder) {
  expect_sound(render_report(testing::sample_run(), testing::sample_result({9, 7}, 2)));
  const std::string page =
      render_report(testing::sample_run(), testing::sample_result({3, 4, 2, 5, 3, 2, 2, 3}, 2));
  expect_sound(page);
  EXPECT_THAT(page, HasSubstr("r,ir,jr,kr,lr,mr,nr,or,pr-&gt;ijklmnop"));
}

TEST(ReportDegenerate, ModesOfLengthOne) {
  expect_sound(render_report(testing::sample_run(), testing::sample_result({1, 50, 1}, 1)));
  expect_sound(render_report(testing::sample_run(), testing::sample_result({1, 1}, 1)));
}

TEST(ReportSize, IsBoundedForAMillionEntriesOfS) {
  Decomposition result = testing::sample_result({200, 200, 100}, 30);
  result.set_sparse(testing::strided_sparse({200, 200, 100}, 4));
  ASSERT_EQ(result.sparse.count(), 1'000'000);
  result.trace = testing::falling_trace(20'000);
  expect_sound(render_report(testing::sample_run(), result));
}

TEST(ReportSize, IsBoundedForManyComponentsAndModes) {
  const Shape shape{5000, 600, 2, 2, 2, 2, 2, 2};
  Decomposition result = testing::sample_result({4, 4, 2, 2, 2, 2, 2, 2}, 1);
  result.low_rank = testing::smooth_model(shape, 300);
  result.set_sparse(testing::strided_sparse(shape, 1009));
  const std::string page = render_report(testing::sample_run(), result);
  expect_sound(page);
  EXPECT_THAT(page, HasSubstr("heaviest of 300 components"));
}

/// A stride of 0 makes a tensor of 4 10^9 entries out of one.
TEST(ReportSize, IsBoundedForALargeTensor) {
  const Shape shape{1600, 1600, 1600};
  Decomposition result;
  result.low_rank = testing::smooth_model(shape, 20);
  result.set_sparse(testing::strided_sparse(shape, 40'009));
  const std::uint8_t zero = 0;
  const TensorView tensor(&zero, ScalarType::u8, shape, ModeIndices{});
  const std::string page =
      render_report(testing::sample_run(), result, pictures_of(tensor, result));
  expect_sound(page);
  EXPECT_GT(page.size(), 3'000'000u);
}

TEST(ReportSize, IsBoundedForEveryOrder) {
  for (const Shape& shape :
       {Shape{5000, 4000}, Shape{700, 600, 90, 80}, Shape{40, 30, 20, 9, 8, 7, 6, 5}}) {
    Decomposition result;
    result.low_rank = testing::smooth_model(shape, 3);
    result.set_sparse(SparseTensor(shape));
    const float zero = 0;
    const TensorView tensor(&zero, ScalarType::f32, shape, ModeIndices{});
    expect_sound(render_report(testing::sample_run(), result, pictures_of(tensor, result)));
  }
}

}  // namespace
}  // namespace sunder
