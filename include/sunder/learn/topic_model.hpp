#pragma once
/// Topics of documents by the method of moments: every word of a document is drawn from one topic
/// (alpha0 = 0), or each from a topic of its own, by proportions that are Dirichlet with the known
/// total concentration alpha0 (latent Dirichlet allocation).

#include <span>

#include "sunder/core/corpus.hpp"
#include "sunder/learn/moment_model.hpp"

namespace sunder {

struct TopicOptions {
  int topics = 0;      ///< at least 1
  double alpha0 = 0;   ///< total concentration; 0: one topic for each document
  Index core = 250;    ///< the third moment of more words than this is not formed
  bool robust = true;  ///< false: the plain estimator
  double width = 6;    ///< as in MomentOptions
  std::uint64_t seed = 1;
  int threads = 0;                 ///< 0: one for each processor; never changes the result
  ProgressCallback progress = {};  ///< called often; may cancel
};

struct TopicModel {
  Matrix topics;    ///< words x topics: the distribution of words in each, the heaviest first
  Vector weights;   ///< shares of the topics, sum 1
  Vector strength;  ///< of the corruption of each word's moments; 0 where not examined
  std::vector<Index> corrupted;  ///< words, strongest first
  std::vector<Index> core;       ///< the words whose third moments were formed; empty: none
  MomentModel fit;               ///< of the core, or of all words
};

/// Throws InputError for a corpus that has too few documents of three words or more.
TopicModel learn_topics(const Corpus& corpus, const TopicOptions& options);
/// From ready-made moments, as topic_moments() gives them.
TopicModel learn_topics(const SymmetricMoments& moments, const TopicOptions& options);

/// Unbiased estimates of M1 = E[x1] and of
///     M2 = E[x1 x2] - a/(a+1) M1 M1',
///     M3 = E[x1 x2 x3] - a/(a+2) (E[x1 x2 M1] + E[x1 M1 x2] + E[M1 x1 x2])
///                      + 2 a^2 / ((a+1)(a+2)) M1 M1 M1,          a = alpha0,
/// where x1, x2, x3 are three words of a document (Anandkumar et al. 2014, Theorem 3.5), for the
/// words of a list, which is sorted.
SymmetricMoments topic_moments(const Corpus& corpus, double alpha0, std::span<const Index> words,
                               int threads = 0);

/// The moments that a model has, of all words.
SymmetricMoments exact_topic_moments(const Matrix& topics, const Vector& weights, double alpha0);

}  // namespace sunder
