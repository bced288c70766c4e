// Notation, in addition to that of the headers:
//   U        words x topics, u_k = sqrt(a_k) mu_k: each column is a topic times the square root of
//            its weight in M2, so that the sum of the column gives both
#include "sunder/learn/topic_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/require_option.hpp"
#include "learn/topics/whole_vocabulary.hpp"
#include "learn/topics/word_scale.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace {

void check(const TopicOptions& options) {
  require_option(options.topics >= 1, "topics", "at least 1", options.topics);
  require_option(options.alpha0 >= 0 && std::isfinite(options.alpha0), "alpha0",
                 "finite and not negative", options.alpha0);
  const Index least = 3 * Index{options.topics};
  require_option(options.core >= least, "core",
                 fmt::format("at least three words for each of the `topics` ({})", least),
                 options.core);
}

/// Returns the words of documents with three words or more, in the order of the vocabulary.
std::vector<Index> used_words(const Corpus& corpus) {
  std::vector<bool> used(corpus.words());
  for (Index d = 0; d < corpus.documents(); ++d) {
    const auto document = corpus.document(d);
    if (Corpus::length(document) < 3) continue;
    for (const Corpus::Entry& entry : document) used[entry.word] = true;
  }
  std::vector<Index> words;
  for (std::size_t v = 0; v < used.size(); ++v) {
    if (used[v]) words.push_back(static_cast<Index>(v));
  }
  return words;
}

MomentModel fit_core(const SymmetricMoments& moments, const Vector& scale,
                     const TopicOptions& options) {
  MomentOptions fit;
  fit.rank = options.topics;
  fit.robust = options.robust;
  fit.width = options.width;
  fit.seed = options.seed;
  fit.threads = options.threads;
  fit.noise = MomentNoise::counts;
  fit.progress = options.progress;
  return fit_moments(moments, scale, fit);
}

/// Sets the topics as distributions, heaviest first: columns that sum to one, without negative
/// noise.
void set_topics(TopicModel& model, const Matrix& u) {
  const Index r = u.cols();
  Matrix topics(u.rows(), r);
  Vector weights(r);
  for (Index k = 0; k < r; ++k) {
    const double sum = u.col(k).sum();
    weights[k] = sum * sum;
    topics.col(k) = (sum < 0 ? -1.0 : 1.0) * u.col(k).array().matrix();
    topics.col(k) = topics.col(k).cwiseMax(0.0);
    const double positive = topics.col(k).sum();
    if (positive > 0) topics.col(k) /= positive;
  }
  if (weights.sum() > 0) weights /= weights.sum();
  std::vector<Index> order(r);
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return weights[a] > weights[b]; });
  model.topics.resize(u.rows(), r);
  model.weights.resize(r);
  for (Index k = 0; k < r; ++k) {
    const Index from = order[k];
    model.topics.col(k) = topics.col(from);
    model.weights[k] = weights[from];
  }
}

void set_corruption(TopicModel& model, Index words) {
  model.strength = Vector::Zero(words);
  for (std::size_t k = 0; k < model.core.size(); ++k) {
    model.strength[model.core[k]] = model.fit.strength[static_cast<Index>(k)];
  }
  for (const Index i : model.fit.corrupted) {
    model.corrupted.push_back(model.core[i]);
  }
}

/// Learns the topics without forming the third moment.
TopicModel learn_large(const Corpus& corpus, const TopicOptions& options) {
  TopicModel model;
  WholeVocabulary whole;
  try {
    whole = fit_whole_vocabulary(corpus, options);
  } catch (const Cancelled&) {
    model.fit.outcome = Outcome::cancelled;
    return model;
  }
  set_topics(model, whole.directions);
  model.strength = whole.strength;
  model.corrupted = whole.corrupted;
  model.fit.directions = std::move(whole.directions);
  model.fit.cubes = std::move(whole.cubes);
  model.fit.strength = model.strength;
  model.fit.corrupted = model.corrupted;
  model.fit.outcome = whole.settled ? Outcome::converged : Outcome::iteration_limit;
  model.fit.certificate.explanation =
      "the third moment of so many words was not formed, only contracted; words are judged by "
      "their leverage";
  return model;
}

}  // namespace

TopicModel learn_topics(const Corpus& corpus, const TopicOptions& options) {
  check(options);
  const std::vector<Index> used = used_words(corpus);
  if (std::ssize(used) < options.topics) {
    throw InputError(
        fmt::format("the documents of three words or more use only {} words, too few for {} topics",
                    used.size(), options.topics));
  }
  if (std::ssize(used) > options.core) return learn_large(corpus, options);
  TopicModel model;
  model.core = used;
  report(options.progress, {.stage = "moments"});
  const SymmetricMoments moments =
      topic_moments(corpus, options.alpha0, model.core, options.threads);
  model.fit = fit_core(moments, word_scale(moments.first), options);
  if (model.fit.outcome == Outcome::cancelled) return model;
  Matrix u = Matrix::Zero(corpus.words(), options.topics);
  for (std::size_t k = 0; k < model.core.size(); ++k) {
    u.row(model.core[k]) = model.fit.directions.row(static_cast<Index>(k));
  }
  set_topics(model, u);
  set_corruption(model, corpus.words());
  return model;
}

TopicModel learn_topics(const SymmetricMoments& moments, const TopicOptions& options) {
  TopicOptions all = options;
  all.core = std::max<Index>(moments.variables(), 3 * Index{options.topics});
  check(all);
  TopicModel model;
  model.core.resize(moments.variables());
  std::iota(model.core.begin(), model.core.end(), Index{0});
  model.fit = fit_core(moments, word_scale(moments.first), options);
  if (model.fit.outcome == Outcome::cancelled) return model;
  set_topics(model, model.fit.directions);
  set_corruption(model, moments.variables());
  return model;
}

}  // namespace sunder
