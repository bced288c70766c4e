#pragma once
/// Topics of a vocabulary whose third moment is too large to form: M2 is only multiplied with a few
/// vectors, and M3 only contracted in all its modes, both in sweeps over the documents.

#include <vector>

#include "sunder/learn/topic_model.hpp"

namespace sunder {

struct WholeVocabulary {
  Matrix directions;  ///< u_k in columns, of all words
  Vector cubes;       ///< lambda_k
  Vector strength;    ///< for each word, its leverage over the largest that its frequency explains
  std::vector<Index> corrupted;  ///< corrupted words, strongest first
  bool settled = false;          ///< the last round found no further corrupted word
};

/// Fits the topics. Throws InputError if M2 has fewer than `topics` positive eigenvalues, and
/// Cancelled when the callback cancels. The options core, width and threads have no effect.
WholeVocabulary fit_whole_vocabulary(const Corpus& corpus, const TopicOptions& options);

}  // namespace sunder
