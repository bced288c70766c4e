#include "sunder/algorithms/method.hpp"

#include <gtest/gtest.h>

#include "planted_problem.hpp"
#include "sunder/algorithms/evaluation.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

TEST(Method, EveryNameMakesAMethodWithDocumentedOptions) {
  for (const std::string& name : method_names()) {
    const std::unique_ptr<Method> method = make_method(name);
    EXPECT_EQ(method->name(), name);
    EXPECT_FALSE(method->summary().empty());
    for (const MethodOption& option : method->options()) {
      EXPECT_FALSE(option.meaning.empty()) << option.name;
      EXPECT_NO_THROW(method->set(option.name, option.value)) << option.name;
    }
  }
}

TEST(Method, RankIsAWholeNumberOrAuto) {
  EXPECT_EQ(parse_rank("7"), 7);
  EXPECT_EQ(parse_rank("auto"), 0);
  for (const char* wrong : {"0", "-1", "2.5", "", "5x", "AUTO", "99999999999"}) {
    EXPECT_THROW(parse_rank(wrong), OptionError) << wrong;
  }
}

TEST(Method, OptionsAreSetByName) {
  const std::unique_ptr<Method> method = make_method("rtd-als");
  method->set("max-iterations", "2");
  method->set("mu", "1e1");
  const PlantedTensor planted = generate_planted(test::small_problem(1));
  RunOptions run;
  run.rank = 3;
  EXPECT_EQ(method->decompose(planted.tensor.view(), run).trace.size(), 2U);
}

TEST(Method, TwoModesAreAnOption) {
  const std::unique_ptr<Method> method = make_method("altproj-slice");
  method->set("slice-modes", "2,0");
  EXPECT_EQ(method->options().front().name, "slice-modes");
  EXPECT_EQ(method->options().front().value, "2,0");
  for (const char* bad : {"2", "2,", ",0", "0,1,2", "a,b", ""}) {
    EXPECT_THROW(method->set("slice-modes", bad), OptionError) << bad;
  }
}

TEST(Method, ConstraintsAreOptionsOfThoseThatKnowThem) {
  for (const char* name : {"robust-cp", "rtd-als"}) {
    const std::unique_ptr<Method> method = make_method(name);
    method->set("shared", "0,1/2,3");
    method->set("nonnegative", "2");
    for (const MethodOption& option : method->options()) {
      if (option.name == "shared") {
        EXPECT_EQ(option.value, "0,1/2,3");
      }
      if (option.name == "nonnegative") {
        EXPECT_EQ(option.value, "2");
      }
    }
    for (const char* bad : {"", "0,", "0;1", "a", "0,1/"}) {
      EXPECT_THROW(method->set("shared", bad), OptionError) << bad;
    }
  }
  for (const char* name : {"horpca", "rtd-whiten-slice", "pcp-flat"}) {
    EXPECT_THROW(make_method(name)->set("shared", "0,1"), OptionError) << name;
  }
}

TEST(Method, EntriesBeyondTheRangeOfSquaresAreRefused) {
  for (const double scale : {1e200, 1e-200}) {
    DenseTensor tensor = generate_planted(test::small_problem(1)).tensor;
    for (double& x : tensor.typed<double>()) x *= scale;
    for (const char* name : {"robust-cp", "rtd-als", "altproj-flat", "pcp-flat", "accaltproj-flat",
                             "ircur-flat", "shah"}) {
      RunOptions run;
      run.rank = 3;
      EXPECT_THROW(make_method(name)->decompose(tensor.view(), run), InputError)
          << name << ", " << scale;
    }
  }
}

TEST(Method, UnknownNamesAndBadValuesAreRefused) {
  EXPECT_THROW(make_method("rtd-magic"), OptionError);
  const std::unique_ptr<Method> method = make_method("rtd-als");
  EXPECT_THROW(method->set("speed", "1"), OptionError);
  EXPECT_THROW(method->set("mu", "large"), OptionError);
  EXPECT_THROW(method->set("mu", "1x"), OptionError);
  EXPECT_THROW(method->set("max-iterations", "2.5"), OptionError);
}

TEST(Evaluation, MeasuresAgainstTheTruth) {
  const PlantedTensor planted = generate_planted(test::small_problem(1));
  Decomposition exact;
  exact.low_rank = planted.low_rank;
  exact.sparse = planted.sparse;
  const Evaluation perfect = evaluate(exact, planted.low_rank, planted.sparse);
  EXPECT_LT(perfect.error_low_rank, 1e-15);
  EXPECT_EQ(perfect.support.precision, 1);
  EXPECT_EQ(perfect.support.recall, 1);
  exact.low_rank = planted.low_rank.leading(2);
  const Evaluation partial = evaluate(exact, planted.low_rank, planted.sparse);
  EXPECT_NEAR(partial.error_low_rank, 1 / std::sqrt(3.0), 1e-12);
  EXPECT_EQ(partial.components.partner[2], -1);
  Decomposition other;
  other.low_rank = CpModel::zero(Shape{2, 2});
  EXPECT_THROW(evaluate(other, planted.low_rank, planted.sparse), InputError);
}

}  // namespace
}  // namespace sunder
