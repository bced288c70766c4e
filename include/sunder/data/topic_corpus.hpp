#pragma once
/// A corpus of documents drawn from known topics.

#include "sunder/core/corpus.hpp"
#include "sunder/core/cp_model.hpp"
#include "sunder/core/progress.hpp"

namespace sunder {

struct TopicCorpusOptions {
  Index words = 200;
  int topics = 5;
  Index documents = 50'000;
  /// Mean length of a document; lengths range from half to one and a half times this.
  Index length = 100;
  double alpha0 = 0;  ///< total concentration of the topic proportions; 0: one topic per document
  /// Share of the words that burst: they appear together outside their topics.
  double burst_words = 0;
  /// Share of the documents with a burst, which is half of their words.
  double burst_documents = 0.1;
  std::uint64_t seed = 1;
};

struct TopicCorpus {
  Corpus corpus;
  Matrix topics;             ///< words x topics, columns sum to 1: Dirichlet(1/2)
  Vector weights;            ///< sum 1: Dirichlet(5)
  std::vector<Index> burst;  ///< the words that burst, in ascending order
};

/// Throws OptionError when a value is out of range.
void validate(const TopicCorpusOptions& options);
/// Draws the topics and weights alone, without documents; used for exact moments.
TopicCorpus generate_topics(const TopicCorpusOptions& options);
/// Draws topics, weights and documents. Throws Cancelled when the callback cancels.
TopicCorpus generate_topic_corpus(const TopicCorpusOptions& options,
                                  const ProgressCallback& progress = {});

}  // namespace sunder
