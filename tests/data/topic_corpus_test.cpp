#include "sunder/data/topic_corpus.hpp"

#include <gtest/gtest.h>

#include "refused_option.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

TEST(TopicCorpus, WordsHaveTheFrequenciesOfTheTopics) {
  for (const double alpha0 : {0.0, 0.7}) {
    const TopicCorpus made = generate_topic_corpus(
        {.words = 10, .topics = 2, .documents = 20'000, .length = 20, .alpha0 = alpha0, .seed = 3});
    EXPECT_NEAR(made.topics.colwise().sum().minCoeff(), 1, 1e-12);
    EXPECT_NEAR(made.weights.sum(), 1, 1e-12);
    Vector frequency = Vector::Zero(10);
    for (Index d = 0; d < made.corpus.documents(); ++d) {
      const auto document = made.corpus.document(d);
      const Index length = Corpus::length(document);
      EXPECT_GE(length, 10);
      EXPECT_LE(length, 30);
      for (const auto& entry : document) {
        frequency[entry.word] += entry.count / static_cast<double>(length) / 20'000;
      }
    }
    EXPECT_LT((frequency - made.topics * made.weights).cwiseAbs().sum(), 0.03);
  }
}

TEST(TopicCorpus, BurstsMakeTheirWordsMoreFrequent) {
  const TopicCorpus made = generate_topic_corpus({.words = 50,
                                                  .topics = 2,
                                                  .documents = 2000,
                                                  .length = 20,
                                                  .burst_words = 0.04,
                                                  .burst_documents = 0.5});
  ASSERT_EQ(made.burst.size(), 2U);
  Index burst = 0;
  Index all = 0;
  for (Index d = 0; d < made.corpus.documents(); ++d) {
    for (const auto& entry : made.corpus.document(d)) {
      all += entry.count;
      if (entry.word == made.burst[0] || entry.word == made.burst[1]) burst += entry.count;
    }
  }
  EXPECT_GT(static_cast<double>(burst) / static_cast<double>(all), 0.2);
}

TEST(TopicCorpus, OptionsOutOfRange) {
  EXPECT_EQ(test::wrong_option(TopicCorpusOptions{.words = 0}), "words");
  EXPECT_EQ(test::wrong_option(TopicCorpusOptions{.length = 2}), "length");
  EXPECT_EQ(test::wrong_option(TopicCorpusOptions{.alpha0 = -1}), "alpha0");
  EXPECT_EQ(test::wrong_option(TopicCorpusOptions{.burst_words = 1.5}), "burst-words");
}

}  // namespace
}  // namespace sunder
