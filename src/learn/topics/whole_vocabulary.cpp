// Notation, in addition to that of topic_model.hpp:
//   d        scale of the words, 1 / sqrt(frequency), which evens out the noise of counts; 0 for a
//            word that is not trusted
//   X2, X3   moments of the scaled words, d_v d_w M2_vw and so on
//   V, s     leading eigenvectors and eigenvalues of X2;  W = V s^-1/2 whitens it
//   g_v      d_v times row v of W: the contribution of a word to the whitened document
//
// Leverage reveals corrupted words. A word v that belongs to topic k alone has frequency f_v = w_k
// mu_kv, and its row of V has squared norm mu_kv = f_v / w_k; words of several topics have less. So
// the leverage of a clean word is at most its frequency over the weight of the lightest topic, plus
// the contribution of noise to the average of r / n. Words in bursts that no topic explains form an
// eigenvector of their own and share its unit of leverage.
//
// Bursts of very many words cannot be distinguished from a topic.
#include "learn/topics/whole_vocabulary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/dense.hpp"
#include "learn/moments/whitened_estimate.hpp"
#include "learn/topics/word_scale.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace {

constexpr Index oversampling = 10;  // columns in addition to the rank
constexpr int products = 5;         // products with X2, to find its leading eigenvectors
constexpr int rounds = 6;           // rounds of removing words
constexpr double lightest = 0.1;    // least weight of a topic, as a share of 1 / topics
constexpr double largest = 0.1;     // largest share of a topic that a single word has
constexpr double noisy = 10;        // multiple of the average leverage that noise may add to a word

/// Calls visit(document, length) for documents of three words or more.
template <class Visit>
void for_each_document(const Corpus& corpus, Visit&& visit) {
  for (Index k = 0; k < corpus.documents(); ++k) {
    const auto document = corpus.document(k);
    const Index length = Corpus::length(document);
    if (length >= 3) visit(document, static_cast<double>(length));
  }
}

class Sweeps {
 public:
  Sweeps(const Corpus& corpus, const TopicOptions& options)
      : corpus_(corpus), options_(options), first_(Vector::Zero(corpus.words())) {
    for_each_document(corpus, [&](auto document, double length) {
      ++documents_;
      for (const auto& entry : document) first_[entry.word] += entry.count / length;
    });
    if (documents_ == 0) throw InputError("no document has three words or more");
    first_ /= documents_;
    scale_ = word_scale(first_);
  }

  const Vector& first() const { return first_; }
  const Vector& scale() const { return scale_; }
  void distrust(Index word) { scale_[word] = 0; }

  /// Computes M2 Q for words scaled by `scale`, with Q' in `rows`: one column for each word.
  Matrix times_second(const Matrix& rows, const Vector& scale) const {
    const Vector first = scale.cwiseProduct(first_);
    const double a = options_.alpha0;
    return times_pairs(rows, scale) - a / (a + 1) * (rows * first) * first.transpose();
  }

  /// Computes X3(W, W, W), r x r^2, with W' in `rows`.
  Matrix whitened_third(const Matrix& rows) const {
    const Index r = rows.rows();
    const Matrix g = rows * scale_.asDiagonal();
    Matrix third = Matrix::Zero(r, r * r);
    Vector alone = Vector::Zero(g.cols());  // how often a word counts three times
    for_each_document(corpus_, [&](auto document, double l) {
      report_or_throw(options_.progress, "third moment");
      Vector sum = Vector::Zero(r);
      Matrix pairs = Matrix::Zero(r, r);
      const double share = 1 / (l * (l - 1) * (l - 2));
      for (const auto& entry : document) {
        const auto column = g.col(entry.word);
        sum += entry.count * column;
        pairs.noalias() += entry.count * column * column.transpose();
        alone[entry.word] += share * entry.count;
      }
      // Sum over three different places = all triples - those with two equal places + ...
      add_cube(third, share, sum);
      add_symmetric(third, -share, pairs, sum);
    });
    for (Index v = 0; v < g.cols(); ++v) {
      if (alone[v] > 0) add_cube(third, 2 * alone[v], g.col(v));
    }
    third /= documents_;
    const double a = options_.alpha0;
    if (a > 0) {
      const Vector mean = g * first_;
      const Matrix second = times_pairs(rows, scale_) * rows.transpose();
      add_symmetric(third, -a / (a + 2), second, mean);
      add_cube(third, 2 * a * a / ((a + 1) * (a + 2)), mean);
    }
    return third;
  }

 private:
  static void add_cube(Matrix& third, double weight, const Vector& x) {
    const Matrix outer = x * x.transpose();
    third.noalias() += weight * x * outer.reshaped().transpose();
  }
  /// Adds the three placements of x beside the matrix.
  static void add_symmetric(Matrix& third, double weight, const Matrix& pairs, const Vector& x) {
    const Index r = x.size();
    third.noalias() += weight * x * pairs.reshaped().transpose();
    for (Index k = 0; k < r; ++k) {
      auto slice = third.middleCols(k * r, r);
      slice.noalias() += weight * x[k] * pairs;
      slice.noalias() += weight * pairs.col(k) * x.transpose();
    }
  }
  /// Computes E[x1 x2] Q in the same way. A word does not pair with itself.
  Matrix times_pairs(const Matrix& rows, const Vector& scale) const {
    Matrix sums = Matrix::Zero(rows.rows(), rows.cols());
    for_each_document(corpus_, [&](auto document, double l) {
      report_or_throw(options_.progress, "second moment");
      Vector sum = Vector::Zero(rows.rows());
      for (const auto& entry : document) {
        sum += entry.count * scale[entry.word] * rows.col(entry.word);
      }
      for (const auto& entry : document) {
        const double d = scale[entry.word];
        sums.col(entry.word) += entry.count * d / (l * (l - 1)) * (sum - d * rows.col(entry.word));
      }
    });
    return sums / documents_;
  }

  const Corpus& corpus_;
  const TopicOptions& options_;
  Vector first_;
  Vector scale_;
  double documents_ = 0;
};

struct Eigenvectors {
  Matrix rows;    ///< V'
  Vector values;  ///< s, ascending
};

/// Finds leading eigenvectors by subspace iteration from a random start.
Eigenvectors leading(const Sweeps& sweeps, Index rank, Rng& rng) {
  const Index n = sweeps.first().size();
  const Index columns = std::min(n, rank + oversampling);
  Matrix basis = thin_qr(Matrix::NullaryExpr(n, columns, [&] { return rng.normal(); })).basis;
  Matrix image;
  for (int k = 0; k < products; ++k) {
    if (k > 0) basis = thin_qr(image).basis;
    image = sweeps.times_second(basis.transpose(), sweeps.scale()).transpose();
  }
  const Matrix small = basis.transpose() * image;
  const SymmetricEigen eigen = symmetric_eigen(0.5 * (small + small.transpose()));
  return {(basis * eigen.vectors.rightCols(rank)).transpose(), eigen.values.tail(rank)};
}

/// Returns the leverage of each word over the largest that its frequency explains.
Vector excess(const Eigenvectors& eigen, const Sweeps& sweeps, int topics) {
  const double average = topics / static_cast<double>(sweeps.first().size());
  const Vector most =
      ((sweeps.first().array() * (topics / lightest)).min(largest) + noisy * average).matrix();
  const Vector leverage = eigen.rows.colwise().squaredNorm().transpose();
  return leverage.cwiseQuotient(most);
}

}  // namespace

WholeVocabulary fit_whole_vocabulary(const Corpus& corpus, const TopicOptions& options) {
  Sweeps sweeps(corpus, options);
  const Index n = corpus.words();
  const Index r = options.topics;
  Rng rng(options.seed, 3);
  WholeVocabulary fit;
  fit.strength = Vector::Zero(n);
  Eigenvectors eigen;
  for (int round = 0; round < rounds && !fit.settled; ++round) {
    eigen = leading(sweeps, r, rng);
    fit.settled = true;
    if (!options.robust) break;
    const Vector found = excess(eigen, sweeps, options.topics);
    for (Index v = 0; v < n; ++v) {
      fit.strength[v] = std::max(fit.strength[v], found[v]);
      if (!(found[v] > 1) || sweeps.scale()[v] == 0) continue;
      sweeps.distrust(v);
      fit.corrupted.push_back(v);
      fit.settled = false;
    }
  }
  std::stable_sort(fit.corrupted.begin(), fit.corrupted.end(),
                   [&](Index a, Index b) { return fit.strength[a] > fit.strength[b]; });
  if (!(eigen.values[0] > 1e-12 * eigen.values[r - 1])) {
    throw InputError(
        fmt::format("the documents have fewer than {} independent topics: use fewer", r));
  }
  const Matrix whitening = eigen.values.cwiseSqrt().cwiseInverse().asDiagonal() * eigen.rows;
  const OrthogonalComponents found = orthogonal_components(sweeps.whitened_third(whitening), rng);
  fit.cubes = found.values;
  // P = diag(v)' W' d maps U to the identity over the trusted words; the other words are estimated
  // from their pairs with the trusted ones.
  const Matrix projection = found.vectors.transpose() * whitening * sweeps.scale().asDiagonal();
  fit.directions = sweeps.times_second(projection, Vector::Ones(n)).transpose();
  return fit;
}

}  // namespace sunder
