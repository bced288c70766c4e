#pragma once
/// Documents drawn from known topics.

#include "sunder/core/corpus.hpp"
#include "sunder/core/cp_model.hpp"
#include "sunder/core/progress.hpp"

namespace sunder {

struct TopicCorpusOptions {
  Index words = 200;
  int topics = 5;
  Index documents = 50'000;
  Index length = 100;      ///< of a document on average: from half of it to half more
  double alpha0 = 0;       ///< total concentration of the proportions; 0: one topic each
  double burst_words = 0;  ///< share of the words that appear together where they do not belong
  double burst_documents = 0.1;  ///< share of the documents in which they do, as half their words
  std::uint64_t seed = 1;
};

struct TopicCorpus {
  Corpus corpus;
  Matrix topics;             ///< words x topics, columns sum to 1: Dirichlet(1/2)
  Vector weights;            ///< sum 1: Dirichlet(5)
  std::vector<Index> burst;  ///< the words that appear together, in order
};

/// Throws OptionError when a value is out of range.
void validate(const TopicCorpusOptions& options);
/// The topics and weights alone, without documents: for exact moments.
TopicCorpus generate_topics(const TopicCorpusOptions& options);
/// Throws Cancelled when the callback says so.
TopicCorpus generate_topic_corpus(const TopicCorpusOptions& options,
                                  const ProgressCallback& progress = {});

}  // namespace sunder
