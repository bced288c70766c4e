#include "learn/topics/whole_vocabulary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sunder/data/topic_corpus.hpp"
#include "sunder/learn/component_score.hpp"

namespace sunder {
namespace {

Matrix distributions(const Matrix& directions) {
  return directions * directions.colwise().sum().cwiseInverse().asDiagonal();
}

double error_of(const Matrix& topics, const Matrix& truth) {
  return score_components(topics, truth, ColumnDistance::l1).mean_error;
}

// The same moments, contracted in sweeps or formed first, are the same estimate.
TEST(WholeVocabulary, IsThePlainEstimatorOfTheMomentsThemselves) {
  for (const double alpha0 : {0.0, 1.0}) {
    const TopicCorpus made = generate_topic_corpus(
        {.words = 30, .topics = 3, .documents = 4'000, .length = 40, .alpha0 = alpha0, .seed = 3});
    const TopicOptions options{.topics = 3, .alpha0 = alpha0, .robust = false};
    const TopicModel formed = learn_topics(made.corpus, options);
    const WholeVocabulary swept = fit_whole_vocabulary(made.corpus, options);
    EXPECT_LT(error_of(distributions(swept.directions), distributions(formed.fit.directions)), 0.01)
        << alpha0;
    EXPECT_LT(error_of(distributions(swept.directions), made.topics), alpha0 > 0 ? 0.2 : 0.05);
  }
}

TEST(WholeVocabulary, WordsThatComeInBurstsAreFoundAndDoNoHarm) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const TopicCorpusOptions clean{
        .words = 1000, .topics = 4, .documents = 8'000, .length = 100, .seed = seed};
    TopicCorpusOptions burst = clean;
    burst.burst_words = 0.005;
    const TopicOptions options{.topics = 4};
    const TopicCorpus made = generate_topic_corpus(burst);
    const WholeVocabulary robust = fit_whole_vocabulary(made.corpus, options);
    EXPECT_TRUE(robust.settled);
    EXPECT_THAT(robust.corrupted, ::testing::UnorderedElementsAreArray(made.burst)) << seed;
    const WholeVocabulary without =
        fit_whole_vocabulary(generate_topic_corpus(clean).corpus, options);
    EXPECT_TRUE(without.corrupted.empty()) << seed;
    const auto others = [&](const Matrix& directions) {
      Matrix topics = directions;
      for (const Index word : made.burst) topics.row(word).setZero();
      return distributions(topics);
    };
    EXPECT_LT(error_of(others(robust.directions), others(made.topics)),
              1.3 * error_of(others(without.directions), others(made.topics)))
        << seed;
  }
}

TEST(WholeVocabulary, CanBeCancelled) {
  const TopicCorpus made =
      generate_topic_corpus({.words = 300, .topics = 2, .documents = 200, .length = 30, .seed = 1});
  TopicOptions options{.topics = 2};
  int asked = 0;
  options.progress = [&](const Progress&) {
    return ++asked > 500 ? Continue::cancel : Continue::yes;
  };
  EXPECT_EQ(learn_topics(made.corpus, options).fit.outcome, Outcome::cancelled);
}

}  // namespace
}  // namespace sunder
