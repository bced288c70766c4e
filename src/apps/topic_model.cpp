// Notation, beside that of the headers:
//   U        words x topics, u_k = sqrt(a_k) mu_k: each column is a topic times the square root of
//            its weight in M2, so that its sum tells both apart
//   P        r x core: P U_core = I, over the core words that are not corrupted
#include "sunder/apps/topic_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/dense.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace {

constexpr double rarest = 1e-3;  // of the mean frequency; rarer words get no larger scale

void check(const TopicOptions& options) {
  if (options.topics < 1) throw OptionError("the number of topics must be at least 1");
  if (!(options.alpha0 >= 0) || !std::isfinite(options.alpha0)) {
    throw OptionError("alpha0 must be a number that is not negative");
  }
  if (options.core < 3 * options.topics) {
    throw OptionError(fmt::format("the core must have at least three words for each topic: {}",
                                  3 * options.topics));
  }
}

Vector word_frequency(const Corpus& corpus) {
  Vector frequency = Vector::Zero(corpus.words());
  for (Index d = 0; d < corpus.documents(); ++d) {
    const auto document = corpus.document(d);
    const Index length = Corpus::length(document);
    if (length < 3) continue;
    for (const Corpus::Entry& entry : document) {
      frequency[entry.word] += static_cast<double>(entry.count) / static_cast<double>(length);
    }
  }
  return frequency;
}

/// The most frequent words, in the order of the vocabulary.
std::vector<Index> frequent_words(const Vector& frequency, Index most) {
  std::vector<Index> words;
  for (Index v = 0; v < frequency.size(); ++v) {
    if (frequency[v] > 0) words.push_back(v);
  }
  std::stable_sort(words.begin(), words.end(),
                   [&](Index a, Index b) { return frequency[a] > frequency[b]; });
  if (static_cast<Index>(words.size()) > most) words.resize(static_cast<std::size_t>(most));
  std::sort(words.begin(), words.end());
  return words;
}

/// The noise of a moment is about that of a count, whose variance grows with the product of the
/// words' frequencies: divided by their square roots it is about even.
Vector scale_of(const Vector& first) {
  const double least = rarest * first.cwiseAbs().mean();
  if (!(least > 0)) throw InputError("the first moment is zero");
  return first.cwiseMax(least).cwiseSqrt().cwiseInverse();
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

/// P of the weighted least-squares problem that the scale stands for; columns of words that are not
/// to be trusted are zero.
Matrix projection_of(const MomentModel& fit, const Vector& scale) {
  Vector trusted = scale;
  for (const Index i : fit.corrupted) trusted[i] = 0;
  const Matrix u = trusted.asDiagonal() * fit.directions;
  const Svd svd = thin_svd(u);
  const Matrix inverse = svd.v * svd.values.cwiseInverse().asDiagonal() * svd.u.transpose();
  return inverse * trusted.asDiagonal();
}

/// E[x_v (P x)'] = U_v for every word v: one sweep over the corpus, of words x topics numbers. Only
/// pairs of v with trusted words enter, so that corruption elsewhere cannot reach it.
Matrix extended(const Corpus& corpus, std::span<const Index> core, const Matrix& projection,
                const Vector& frequency, double alpha0) {
  const Index r = projection.rows();
  Matrix columns = Matrix::Zero(r, corpus.words());  // P, by word of the whole vocabulary
  for (std::size_t k = 0; k < core.size(); ++k) {
    columns.col(core[k]) = projection.col(static_cast<Index>(k));
  }
  Matrix sums = Matrix::Zero(r, corpus.words());
  Index documents = 0;
  for (Index d = 0; d < corpus.documents(); ++d) {
    const auto document = corpus.document(d);
    const auto l = static_cast<double>(Corpus::length(document));
    if (l < 3) continue;
    ++documents;
    Vector projected = Vector::Zero(r);
    for (const auto& entry : document) projected += entry.count * columns.col(entry.word);
    for (const auto& entry : document) {
      // A word does not pair with itself.
      sums.col(entry.word) += entry.count / (l * (l - 1)) * (projected - columns.col(entry.word));
    }
  }
  sums /= static_cast<double>(documents);
  const Vector first = frequency / static_cast<double>(documents);
  sums -= alpha0 / (alpha0 + 1) * (columns * first) * first.transpose();
  return sums.transpose();
}

/// Distributions, heaviest first: columns that sum to one, without what noise made negative.
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
  std::vector<Index> order(static_cast<std::size_t>(r));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return weights[a] > weights[b]; });
  model.topics.resize(u.rows(), r);
  model.weights.resize(r);
  for (Index k = 0; k < r; ++k) {
    const Index from = order[static_cast<std::size_t>(k)];
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
    model.corrupted.push_back(model.core[static_cast<std::size_t>(i)]);
  }
}

}  // namespace

TopicModel learn_topics(const Corpus& corpus, const TopicOptions& options) {
  check(options);
  const Vector frequency = word_frequency(corpus);
  TopicModel model;
  model.core = frequent_words(frequency, options.core);
  if (static_cast<Index>(model.core.size()) < options.topics) {
    throw InputError(
        fmt::format("the documents of three words or more use only {} words, too few for {} topics",
                    model.core.size(), options.topics));
  }
  report(options.progress, {.stage = "moments"});
  const SymmetricMoments moments =
      topic_moments(corpus, options.alpha0, model.core, options.threads);
  const Vector scale = scale_of(moments.first);
  model.fit = fit_core(moments, scale, options);
  if (model.fit.outcome == Outcome::cancelled) return model;
  Matrix u = Matrix::Zero(corpus.words(), options.topics);
  if (frequency.size() > static_cast<Index>(model.core.size())) {
    report(options.progress, {.stage = "the other words"});
    u = extended(corpus, model.core, projection_of(model.fit, scale), frequency, options.alpha0);
  }
  for (std::size_t k = 0; k < model.core.size(); ++k) {
    u.row(model.core[k]) = model.fit.directions.row(static_cast<Index>(k));
  }
  set_topics(model, u);
  set_corruption(model, corpus.words());
  return model;
}

TopicModel learn_topics(const SymmetricMoments& moments, const TopicOptions& options) {
  TopicOptions all = options;
  all.core = std::max<Index>(moments.variables(), 3 * options.topics);
  check(all);
  TopicModel model;
  model.core.resize(static_cast<std::size_t>(moments.variables()));
  std::iota(model.core.begin(), model.core.end(), Index{0});
  model.fit = fit_core(moments, scale_of(moments.first), options);
  if (model.fit.outcome == Outcome::cancelled) return model;
  set_topics(model, model.fit.directions);
  set_corruption(model, moments.variables());
  return model;
}

}  // namespace sunder
