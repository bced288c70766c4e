#include "sunder/learn/topic_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "refused_option.hpp"
#include "sunder/core/error.hpp"
#include "sunder/data/topic_corpus.hpp"
#include "sunder/learn/component_score.hpp"

namespace sunder {
namespace {

std::vector<Index> all_words(Index words) {
  std::vector<Index> list(words);
  std::iota(list.begin(), list.end(), Index{0});
  return list;
}

double error_of(const TopicModel& model, const Matrix& truth) {
  return score_components(model.topics, truth, ColumnDistance::l1).mean_error;
}

TEST(TopicMoments, AverageOverAllTriplesOfAWordList) {
  // Two documents, written out: words 0 0 1 2, and 1 2 2.
  Corpus corpus(3);
  corpus.add({{0, 2}, {1, 1}, {2, 1}});
  corpus.add({{1, 1}, {2, 2}});
  const std::vector<std::vector<Index>> documents = {{0, 0, 1, 2}, {1, 2, 2}};
  SymmetricMoments slow{Vector::Zero(3), Matrix::Zero(3, 3), Matrix::Zero(3, 9)};
  for (const auto& words : documents) {
    const double l = static_cast<double>(words.size());
    for (std::size_t a = 0; a < words.size(); ++a) {
      slow.first[words[a]] += 1 / l / 2;
      for (std::size_t b = 0; b < words.size(); ++b) {
        if (b == a) continue;
        slow.second(words[a], words[b]) += 1 / (l * (l - 1)) / 2;
        for (std::size_t c = 0; c < words.size(); ++c) {
          if (c == a || c == b) continue;
          slow.third(words[a], words[b] + 3 * words[c]) += 1 / (l * (l - 1) * (l - 2)) / 2;
        }
      }
    }
  }
  const SymmetricMoments fast = topic_moments(corpus, 0, all_words(3));
  EXPECT_LT((fast.first - slow.first).norm(), 1e-14);
  EXPECT_LT((fast.second - slow.second).norm(), 1e-14);
  EXPECT_LT((fast.third - slow.third).norm(), 1e-14);
}

TEST(TopicMoments, TendToThoseOfTheModel) {
  for (const double alpha0 : {0.0, 1.0}) {
    const TopicCorpus made = generate_topic_corpus(
        {.words = 12, .topics = 3, .documents = 20'000, .length = 40, .alpha0 = alpha0});
    const SymmetricMoments found = topic_moments(made.corpus, alpha0, all_words(12));
    const SymmetricMoments exact = exact_topic_moments(made.topics, made.weights, alpha0);
    EXPECT_LT((found.first - exact.first).norm(), 0.02 * exact.first.norm());
    EXPECT_LT((found.second - exact.second).norm(), 0.05 * exact.second.norm());
    EXPECT_LT((found.third - exact.third).norm(), 0.1 * exact.third.norm());
  }
}

TEST(TopicMoments, SameBitsForOneAndTwoThreads) {
  const TopicCorpus made =
      generate_topic_corpus({.words = 20, .topics = 3, .documents = 500, .length = 20});
  const SymmetricMoments one = topic_moments(made.corpus, 1, all_words(20), 1);
  const SymmetricMoments two = topic_moments(made.corpus, 1, all_words(20), 2);
  EXPECT_EQ(one.second, two.second);
  EXPECT_EQ(one.third, two.third);
}

TEST(TopicModel, ExactMomentsWithACorruptedBlock) {
  for (const double alpha0 : {0.0, 2.0}) {
    const TopicCorpus made = generate_topics({.words = 80, .topics = 4, .seed = 3});
    SymmetricMoments moments = exact_topic_moments(made.topics, made.weights, alpha0);
    const std::vector<Index> corrupted = corrupt(moments, {.share = 0.05, .seed = 4});
    const TopicModel model = learn_topics(moments, {.topics = 4, .alpha0 = alpha0});
    EXPECT_LT(error_of(model, made.topics), 1e-8);
    EXPECT_THAT(model.corrupted, ::testing::UnorderedElementsAreArray(corrupted));
    EXPECT_NEAR(model.weights[0], made.weights.maxCoeff(), 1e-8);
  }
}

TEST(TopicModel, DocumentsWithABurstOfWordsThatDoNotBelong) {
  TopicCorpusOptions options{
      .words = 40, .topics = 3, .documents = 10'000, .length = 60, .burst_words = 0.075, .seed = 2};
  const TopicCorpus made = generate_topic_corpus(options);
  const TopicModel robust = learn_topics(made.corpus, {.topics = 3});
  options.burst_words = 0;
  const TopicModel clean =
      learn_topics(generate_topic_corpus(options).corpus, {.topics = 3, .robust = false});
  // The burst's words have become more frequent in every topic: compare the others.
  const Matrix& truth = made.topics;
  const auto without_burst = [&](Matrix topics) {
    for (const Index word : made.burst) topics.row(word).setZero();
    return topics * topics.colwise().sum().cwiseInverse().asDiagonal();
  };
  const auto error = [&](const TopicModel& model) {
    return score_components(without_burst(model.topics), without_burst(truth), ColumnDistance::l1)
        .mean_error;
  };
  EXPECT_LT(error(robust), 1.3 * error(clean));
  EXPECT_THAT(robust.corrupted, ::testing::UnorderedElementsAreArray(made.burst));
}

TEST(TopicModel, LargeVocabulariesDoNotNeedTheThirdMoment) {
  const TopicCorpus made = generate_topic_corpus(
      {.words = 200, .topics = 3, .documents = 8'000, .length = 80, .alpha0 = 0.5, .seed = 5});
  const TopicModel core = learn_topics(made.corpus, {.topics = 3, .alpha0 = 0.5, .core = 40});
  EXPECT_TRUE(core.core.empty());
  EXPECT_TRUE(core.corrupted.empty());
  EXPECT_LT(error_of(core, made.topics), 0.12);
  EXPECT_NEAR(core.topics.col(0).sum(), 1, 1e-12);
}

TEST(TopicModel, MistakesAreNamed) {
  Corpus corpus(5);
  corpus.add({{0, 1}, {1, 1}});
  EXPECT_THROW(learn_topics(corpus, {.topics = 1}), InputError);  // two words only
  const auto refused = [&](const TopicOptions& options) {
    return test::refused_option([&] { learn_topics(corpus, options); });
  };
  EXPECT_EQ(refused({.topics = 0}), "topics");
  EXPECT_EQ(refused({.topics = 1, .alpha0 = -1}), "alpha0");
  EXPECT_EQ(refused({.topics = 9, .core = 20}), "core");
  EXPECT_THROW(corpus.add({{5, 1}}), InputError);
  EXPECT_THROW(corpus.add({{1, 0}}), InputError);
}

}  // namespace
}  // namespace sunder
