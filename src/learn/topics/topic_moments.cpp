// Notation:
//   c_i      count of word i in a document, l: its length
//   P2, P3   E[x1 x2], E[x1 x2 x3]: from a document c_i (c_j - [i=j]) / (l (l-1)), and so on
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>

#include "core/region_failure.hpp"
#include "core/require_option.hpp"
#include "sunder/core/error.hpp"
#include "sunder/learn/topic_model.hpp"

namespace sunder {

namespace {

/// The documents of three words or more, restricted to some words, which are numbered by their
/// place in the list.
struct CoreDocuments {
  struct Posting {
    Index document = 0;
    Index place = 0;  ///< place of the word in the document
  };
  std::vector<std::vector<Corpus::Entry>> entries;
  std::vector<double> length;
  std::vector<std::vector<Posting>> postings;  ///< one list per word
};

CoreDocuments core_documents(const Corpus& corpus, std::span<const Index> words) {
  std::vector<std::int32_t> number(corpus.words(), -1);
  for (std::size_t k = 0; k < words.size(); ++k) {
    number[words[k]] = static_cast<std::int32_t>(k);
  }
  CoreDocuments core;
  core.postings.resize(words.size());
  for (Index d = 0; d < corpus.documents(); ++d) {
    const auto document = corpus.document(d);
    const Index length = Corpus::length(document);
    if (length < 3) continue;
    std::vector<Corpus::Entry> kept;
    for (const Corpus::Entry& entry : document) {
      const std::int32_t place = number[entry.word];
      if (place < 0) continue;
      core.postings[place].push_back({std::ssize(core.length), std::ssize(kept)});
      kept.push_back({place, entry.count});
    }
    core.entries.push_back(std::move(kept));
    core.length.push_back(static_cast<double>(length));
  }
  return core;
}

/// Adds the slice P3(i, j, k) for i <= j <= k, and row i of P2: sums over the documents that
/// contain i.
void add_slice(const CoreDocuments& core, Index i, SymmetricMoments& moments, Matrix& slice) {
  slice.setZero();
  for (const auto& posting : core.postings[i]) {
    const auto& document = core.entries[posting.document];
    const double l = core.length[posting.document];
    const auto first = static_cast<std::size_t>(posting.place);
    const double ci = document[first].count;
    moments.first[i] += ci / l;
    const double pair = ci / (l * (l - 1));
    const double triple = pair / (l - 2);
    for (std::size_t b = first; b < document.size(); ++b) {
      const Index j = document[b].word;
      const double cj = document[b].count - (b == first ? 1 : 0);
      moments.second(j, i) += pair * cj;
      const double product = triple * cj;
      double* const column = slice.col(j).data();
      column[j] += product * (cj - 1);
      for (std::size_t c = b + 1; c < document.size(); ++c) {
        column[document[c].word] += product * document[c].count;
      }
    }
  }
}

/// Copies the sum for i <= j <= k to every order of the indices.
void spread_slice(const Matrix& slice, Index i, double documents, Matrix& third) {
  const Index n = third.rows();
  for (Index j = i; j < n; ++j) {
    for (Index k = j; k < n; ++k) {
      const double value = slice(k, j) / documents;
      third(i, j + n * k) = third(i, k + n * j) = value;
      third(j, i + n * k) = third(j, k + n * i) = value;
      third(k, i + n * j) = third(k, j + n * i) = value;
    }
  }
}

/// Turns P2 and P3 into M2 and M3.
void centre(SymmetricMoments& moments, double alpha0) {
  if (alpha0 == 0) return;
  const Index n = moments.variables();
  const Vector& m = moments.first;
  const double pair = alpha0 / (alpha0 + 2);
  const double cube = 2 * alpha0 * alpha0 / ((alpha0 + 1) * (alpha0 + 2));
  for (Index k = 0; k < n; ++k) {
    auto slab = moments.third.middleCols(n * k, n);
    slab -= pair * m[k] * moments.second;
    slab -= pair * moments.second.col(k) * m.transpose();
    slab -= pair * m * moments.second.col(k).transpose();
    slab += cube * m[k] * m * m.transpose();
  }
  moments.second -= alpha0 / (alpha0 + 1) * m * m.transpose();
}

}  // namespace

SymmetricMoments topic_moments(const Corpus& corpus, double alpha0, std::span<const Index> words,
                               int threads) {
  require_threads(threads);
  const CoreDocuments core = core_documents(corpus, words);
  if (core.length.empty()) {
    throw InputError("no document has three words or more: there are no third moments");
  }
  const auto n = std::ssize(words);
  const auto documents = static_cast<double>(core.length.size());
  SymmetricMoments moments{Vector::Zero(n), Matrix::Zero(n, n), Matrix::Zero(n, n * n)};
  // One thread sums each slice over its documents in order, so the number of threads changes no
  // bit.
  RegionFailure failure;
#pragma omp parallel num_threads(threads > 0 ? threads : omp_get_max_threads())
  {
    Matrix slice;
    failure.guard([&] { slice.resize(n, n); });
#pragma omp for schedule(dynamic)
    for (Index i = 0; i < n; ++i) {
      failure.guard([&] {
        add_slice(core, i, moments, slice);
        spread_slice(slice, i, documents, moments.third);
      });
    }
  }
  failure.rethrow();
  moments.first /= documents;
  moments.second /= documents;
  moments.second.triangularView<Eigen::Upper>() = moments.second.transpose();
  centre(moments, alpha0);
  return moments;
}

SymmetricMoments exact_topic_moments(const Matrix& topics, const Vector& weights, double alpha0) {
  SymmetricMoments moments =
      exact_moments(topics, weights / (alpha0 + 1), 2 * weights / ((alpha0 + 1) * (alpha0 + 2)));
  moments.first = topics * weights;
  return moments;
}

}  // namespace sunder
