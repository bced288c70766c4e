#include "algorithms/robust_cp/certificate/certificate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "algorithms/robust_cp/certificate/judged_model.hpp"

namespace sunder::robust {
namespace {

namespace fs = std::filesystem;
using test::JudgedModel;
using ::testing::ElementsAreArray;
using ::testing::EndsWith;
using ::testing::HasSubstr;

std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

template <class AnyEvidence>
void append_names(std::span<const Condition<AnyEvidence>> table, std::vector<std::string>& names) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    EXPECT_EQ(table[i].number, static_cast<int>(i) + 1);
    names.push_back(fmt::format("{}. {}", table[i].number, table[i].name));
  }
}

TEST(Certificate, ThePageListsTheConditionsOneToOne) {
  std::vector<std::string> names;
  append_names(exact_conditions(), names);
  append_names(zero_conditions(), names);
  const std::string page = text_of(fs::path(SUNDER_SOURCE_DIR) / "docs/certificate.md");
  const std::regex item("(?:^|\n)([0-9]+)\\. \\*\\*([^*]+)\\.\\*\\*");
  std::vector<std::string> listed;
  for (std::sregex_iterator found(page.begin(), page.end(), item), end; found != end; ++found) {
    listed.push_back(fmt::format("{}. {}", (*found)[1].str(), (*found)[2].str()));
  }
  EXPECT_THAT(listed, ElementsAreArray(names));
}

TEST(Certificate, OnePlaceInTheProgramSaysExact) {
  std::vector<std::string> places;
  const std::regex assignment("[^=!<>]=\\s*Certified::exact");
  for (const fs::path folder : {"src", "include"}) {
    for (const auto& entry : fs::recursive_directory_iterator(SUNDER_SOURCE_DIR / folder)) {
      if (!entry.is_regular_file()) continue;
      const std::string text = text_of(entry.path());
      const auto count = std::distance(std::sregex_iterator(text.begin(), text.end(), assignment),
                                       std::sregex_iterator());
      for (std::ptrdiff_t k = 0; k < count; ++k) places.push_back(entry.path().filename());
    }
  }
  EXPECT_EQ(places, std::vector<std::string>{"certificate.cpp"});
}

TEST(Certificate, HoldsForTheTruth) {
  for (const Shape& shape : {Shape{40, 50}, Shape{15, 20, 25}, Shape{8, 9, 10, 11}}) {
    JudgedModel model(shape);
    EXPECT_EQ(model.failed(), 0) << to_string(shape);
    model.corrupt(0.3);
    EXPECT_EQ(model.failed(), 0) << to_string(shape) << ", corrupted";
  }
}

TEST(Certificate, SaysHowMuchOfASliceIsFittedAtLeast) {
  JudgedModel model({10, 20, 25});
  for (Index k = 0; k < 100; ++k) model.tensor.typed<double>()[k] += 5;
  model.search.box_side = 7;
  const Judgement judgement = model.judgement();
  EXPECT_FALSE(judgement.rejects());
  EXPECT_EQ(judgement.certificate.explanation,
            "In every slice, at least 80.0% of the entries are fitted to rounding by a model that "
            "they overdetermine. The search found no other row, no component on a box of at least "
            "7 rows in every mode, and no exchange of components that fits more entries.");
}

/// Nothing can fit more than everything.
TEST(Certificate, SaysNothingOfASearchWhereEveryEntryIsFitted) {
  JudgedModel model({10, 20, 25});
  EXPECT_EQ(model.judgement().certificate.explanation,
            "In every slice, at least 100.0% of the entries are fitted to rounding by a model that "
            "they overdetermine.");
}

TEST(Certificate, OfLHoldsWhereOtherFactorsGiveTheSameL) {
  JudgedModel model({15, 20, 25});
  model.core.determinacy = Determinacy::open_factors;
  const Judgement judgement = model.judgement();
  EXPECT_FALSE(judgement.failure.has_value());
  EXPECT_EQ(judgement.certificate.level, Certified::exact);
  EXPECT_THAT(judgement.certificate.explanation, EndsWith("Other factors give the same L."));
}

TEST(Certificate, UsesThePassOfTheSearch) {
  JudgedModel model({15, 20, 25});
  const int passes = model.with_evidence([&](Evidence& evidence) {
    TensorFit fit = evidence.fit();
    evidence.set_search({}, std::move(fit));
    EXPECT_FALSE(judge_exact(evidence).rejects());
    return evidence.engine().passes();
  });
  EXPECT_EQ(passes, 1);
}

/// The core alone speaks against such a model.
TEST(Certificate, ReadsTheTensorOnceAndNotInVain) {
  JudgedModel model({15, 20, 25});
  EXPECT_EQ(model.failed(), 0);
  EXPECT_EQ(model.passes, 1);
  model.core.determinacy = Determinacy::open_on_fitted;
  EXPECT_EQ(model.failed(), 2);
  EXPECT_EQ(model.passes, 0);
}

/// A model that may be wrong is no result; one of which a part is not known is.
TEST(Certificate, RejectsOrIsWithheld) {
  for (const auto& condition : exact_conditions()) {
    EXPECT_EQ(condition.on_failure, condition.number < 9 ? OnFailure::reject : OnFailure::withhold);
  }
  JudgedModel model({15, 20, 25});
  model.factors[1].row(4) *= 1.01;
  Judgement judgement = model.judgement();
  EXPECT_TRUE(judgement.rejects());
  EXPECT_EQ(judgement.certificate.explanation, "");
  model = JudgedModel({15, 20, 25});
  model.asked = {.rank = 3};
  model.tensor.typed<double>()[7] = std::numeric_limits<double>::quiet_NaN();
  judgement = model.judgement();
  EXPECT_FALSE(judgement.rejects());
  EXPECT_EQ(judgement.certificate.level, Certified::none);
  EXPECT_THAT(judgement.certificate.explanation, HasSubstr("at least 100.0%"));
  EXPECT_THAT(judgement.certificate.explanation, EndsWith("(condition 14)."));
}

TEST(Certificate, OfAZeroTensorHasConditionsOfItsOwn) {
  PassStatistics data;
  EXPECT_EQ(judge_zero(data).certificate.level, Certified::exact);
  data.missing = 2;
  const Judgement withheld = judge_zero(data);
  EXPECT_FALSE(withheld.rejects());
  EXPECT_EQ(withheld.certificate.level, Certified::none);
  EXPECT_THAT(withheld.certificate.explanation, HasSubstr("2 missing values"));
  data.data_max = 1;
  EXPECT_TRUE(judge_zero(data).rejects());
}

}  // namespace
}  // namespace sunder::robust
