#include "sunder/data/topic_corpus.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/random_order.hpp"
#include "core/require_option.hpp"
#include "sunder/core/rng.hpp"

namespace sunder {

namespace {

enum Stream : std::uint64_t { topic_stream = 50, weight_stream, burst_stream, document_stream };

constexpr int weight_concentration = 5;
constexpr Index report_every = 1000;

/// Draws a gamma variate of shape k/2 as half the sum of k squares of normal variates.
double half_gamma(int twice_shape, Rng& rng) {
  double sum = 0;
  for (int k = 0; k < twice_shape; ++k) {
    const double z = rng.normal();
    sum += z * z / 2;
  }
  return sum;
}

/// Draws a gamma variate of any shape (Marsaglia and Tsang 2000).
double gamma(double shape, Rng& rng) {
  if (shape < 1) return gamma(shape + 1, rng) * std::pow(rng.uniform(), 1 / shape);
  const double d = shape - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  while (true) {
    const double x = rng.normal();
    const double v = std::pow(1 + c * x, 3);
    if (v > 0 && std::log(rng.uniform()) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

/// Draws from a discrete distribution by its cumulative sums.
class Urn {
 public:
  explicit Urn(const Vector& weights) : sums_(static_cast<std::size_t>(weights.size())) {
    std::partial_sum(weights.begin(), weights.end(), sums_.begin());
  }
  Index draw(Rng& rng) const {
    const double at = rng.uniform() * sums_.back();
    const auto found = std::upper_bound(sums_.begin(), sums_.end() - 1, at);
    return static_cast<Index>(found - sums_.begin());
  }

 private:
  std::vector<double> sums_;
};

std::vector<Index> burst_of(const TopicCorpusOptions& options) {
  const auto count =
      static_cast<Index>(std::lround(options.burst_words * static_cast<double>(options.words)));
  Rng rng(options.seed, burst_stream);
  std::vector<Index> words = draw_distinct(options.words, count, rng);
  std::sort(words.begin(), words.end());
  return words;
}

}  // namespace

void validate(const TopicCorpusOptions& options) {
  require_option(options.words >= 1 && options.words <= 10'000'000, "words", "from 1 to 10000000",
                 options.words);
  require_option(options.topics >= 1, "topics", "at least 1", options.topics);
  require_option(options.documents >= 1, "documents", "at least 1", options.documents);
  require_option(options.length >= 3, "length", "at least 3", options.length);
  require_option(options.alpha0 >= 0 && std::isfinite(options.alpha0), "alpha0",
                 "finite and not negative", options.alpha0);
  require_share("burst-words", options.burst_words);
  require_share("burst-documents", options.burst_documents);
}

TopicCorpus generate_topics(const TopicCorpusOptions& options) {
  validate(options);
  TopicCorpus made;
  Rng topic_rng(options.seed, topic_stream);
  made.topics =
      Matrix::NullaryExpr(options.words, options.topics, [&] { return half_gamma(1, topic_rng); });
  for (Index k = 0; k < made.topics.cols(); ++k) made.topics.col(k) /= made.topics.col(k).sum();
  Rng weight_rng(options.seed, weight_stream);
  made.weights = Vector::NullaryExpr(
      options.topics, [&] { return half_gamma(2 * weight_concentration, weight_rng); });
  made.weights /= made.weights.sum();
  made.burst = burst_of(options);
  return made;
}

TopicCorpus generate_topic_corpus(const TopicCorpusOptions& options,
                                  const ProgressCallback& progress) {
  TopicCorpus made = generate_topics(options);
  made.corpus = Corpus(options.words);
  std::vector<Urn> urns;
  for (Index k = 0; k < made.topics.cols(); ++k) urns.emplace_back(made.topics.col(k));
  const Urn topic_urn(made.weights);
  Rng rng(options.seed, document_stream);
  std::vector<Corpus::Entry> document;
  for (Index d = 0; d < options.documents; ++d) {
    if (d % report_every == 0) {
      const double done = static_cast<double>(d) / static_cast<double>(options.documents);
      report_or_throw(progress, "documents", done);
    }
    document.clear();
    const auto add = [&](Index word) { document.push_back({static_cast<std::int32_t>(word), 1}); };
    const Index shortest = std::max<Index>(3, options.length / 2);
    const Index length =
        shortest + static_cast<Index>(rng.below(static_cast<std::uint64_t>(options.length) + 1));
    const bool burst = !made.burst.empty() && rng.bernoulli(options.burst_documents);
    const Index own = burst ? length / 2 : length;
    if (options.alpha0 > 0) {
      const Vector proportions = made.weights.unaryExpr(
          [&](double weight) { return gamma(options.alpha0 * weight, rng); });
      const Urn mixed(proportions);
      for (Index k = 0; k < own; ++k) add(urns[mixed.draw(rng)].draw(rng));
    } else {
      const Urn& urn = urns[topic_urn.draw(rng)];
      for (Index k = 0; k < own; ++k) add(urn.draw(rng));
    }
    for (Index k = own; k < length; ++k) add(made.burst[rng.below(made.burst.size())]);
    made.corpus.add(document);
  }
  return made;
}

}  // namespace sunder
