#pragma once
/// Learning the topics of documents by the method of moments. With alpha0 = 0, all words of a
/// document come from one topic. Otherwise each word has its own topic, drawn from proportions with
/// a Dirichlet distribution of known total concentration alpha0 (latent Dirichlet allocation).

#include <span>

#include "sunder/core/corpus.hpp"
#include "sunder/learn/moment_model.hpp"

namespace sunder {

struct TopicOptions {
  int topics = 0;      ///< number of topics, at least 1
  double alpha0 = 0;   ///< total concentration; 0: one topic per document
  Index core = 250;    ///< with more words than this, the third moment is not formed
  bool robust = true;  ///< false: the plain estimator
  double width = 6;    ///< as in MomentOptions
  std::uint64_t seed = 1;
  int threads = 0;                 ///< 0: one thread per processor; never changes the result
  ProgressCallback progress = {};  ///< called often; may cancel
};

struct TopicModel {
  Matrix topics;    ///< words x topics: the word distribution of each topic, heaviest topic first
  Vector weights;   ///< shares of the topics; their sum is 1
  Vector strength;  ///< strength of the corruption of each word's moments; 0 where not examined
  std::vector<Index> corrupted;  ///< corrupted words, strongest first
  std::vector<Index> core;       ///< the words whose third moments were formed; may be empty
  MomentModel fit;               ///< the fit of the core words, or of all words
};

/// Learns from documents. Throws InputError if too few documents have three words or more.
TopicModel learn_topics(const Corpus& corpus, const TopicOptions& options);
/// Learns from moments, as topic_moments() returns them.
TopicModel learn_topics(const SymmetricMoments& moments, const TopicOptions& options);

/// Computes unbiased estimates of M1 = E[x1] and of
///     M2 = E[x1 x2] - a/(a+1) M1 M1',
///     M3 = E[x1 x2 x3] - a/(a+2) (E[x1 x2 M1] + E[x1 M1 x2] + E[M1 x1 x2])
///                      + 2 a^2 / ((a+1)(a+2)) M1 M1 M1,          a = alpha0,
/// where x1, x2, x3 are three words of a document (Anandkumar et al. 2014, Theorem 3.5), for the
/// words of a sorted list.
SymmetricMoments topic_moments(const Corpus& corpus, double alpha0, std::span<const Index> words,
                               int threads = 0);

/// Returns the exact moments of a model, for all words.
SymmetricMoments exact_topic_moments(const Matrix& topics, const Vector& weights, double alpha0);

}  // namespace sunder
