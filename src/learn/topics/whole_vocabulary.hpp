#pragma once
/// Topics of a vocabulary whose third moment is too large to be formed: M2 is only multiplied with
/// a few vectors, M3 only contracted in all its modes, both in sweeps over the documents.

#include <vector>

#include "sunder/learn/topic_model.hpp"

namespace sunder {

struct WholeVocabulary {
  Matrix directions;             ///< u_k in columns, of all words
  Vector cubes;                  ///< lambda_k
  Vector strength;               ///< of each word: leverage over what its frequency explains
  std::vector<Index> corrupted;  ///< strongest first
  bool settled = false;          ///< no further word was found corrupted
};

/// Throws InputError where M2 has fewer than `topics` positive eigenvalues, Cancelled when it is no
/// longer wanted. Of the options, core, width and threads are not looked at.
WholeVocabulary fit_whole_vocabulary(const Corpus& corpus, const TopicOptions& options);

}  // namespace sunder
