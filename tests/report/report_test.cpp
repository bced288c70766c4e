#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "report/markup.hpp"
#include "report/sample_run.hpp"

namespace sunder {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// What holds for every page, whatever it shows.
void expect_sound(const std::string& page) {
  EXPECT_EQ(testing::markup_fault(page), "");
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, Not(HasSubstr("http://")));
  EXPECT_THAT(page, Not(HasSubstr("https://")));
  EXPECT_THAT(page, Not(HasSubstr("nan")));
  EXPECT_THAT(page, Not(HasSubstr("inf ")));
  EXPECT_LT(page.size(), 2u << 20);
}

TEST(MarkupFault, FindsWhatItShould) {
  EXPECT_EQ(testing::markup_fault("<!DOCTYPE html><a b=\"c>d\"><e/></a>"), "");
  EXPECT_NE(testing::markup_fault("<a><b></a></b>"), "");
  EXPECT_NE(testing::markup_fault("<a>"), "");
  EXPECT_NE(testing::markup_fault("</a>"), "");
  EXPECT_NE(testing::markup_fault("<a <b></a>"), "");
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
                               "true component 2, not found",
                               "Options",
                               "geometric",
                               "NumPy",
                               "MATLAB or Octave",
                               "Content-Security-Policy",
                               "default-src 'none'",
                               "prefers-color-scheme: dark",
                               "@media print",
                               "role=\"img\" aria-label="}) {
    EXPECT_THAT(page, HasSubstr(expected));
  }
}

TEST(Report, TruthOnlyWhereItIsKnown) {
  const std::string page = render_report(testing::sample_run(), testing::sample_result());
  expect_sound(page);
  EXPECT_THAT(page, Not(HasSubstr("truth")));
}

TEST(Report, EscapesWhatComesFromOutside) {
  const std::string hostile = "<img src=x onerror=\"alert('1')\">";
  RunDescription run = testing::sample_run();
  run.input = run.method = run.dtype = hostile;
  run.options = {{hostile, hostile}};
  Decomposition result = testing::sample_result();
  result.certificate.explanation = hostile;
  result.trace[0].stage = hostile;
  const std::string page = render_report(run, result);
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
  EXPECT_THAT(page, HasSubstr("The 12 heaviest of 300 components"));
}

}  // namespace
}  // namespace sunder
