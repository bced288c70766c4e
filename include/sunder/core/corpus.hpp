#pragma once
/// A corpus of documents, stored as sparse word counts.

#include <cstdint>
#include <span>
#include <vector>

#include "sunder/core/shape.hpp"

namespace sunder {

class Corpus {
 public:
  explicit Corpus(Index words = 0) : words_(words) {}

  struct Entry {
    std::int32_t word = 0;
    std::int32_t count = 0;
  };

  Index words() const { return words_; }
  Index documents() const { return std::ssize(begin_) - 1; }
  Index entries() const { return std::ssize(entries_); }
  /// Returns the entries of a document, sorted by word; each word appears once.
  std::span<const Entry> document(Index number) const {
    const auto at = static_cast<std::size_t>(number);
    return std::span(entries_).subspan(begin_[at], begin_[at + 1] - begin_[at]);
  }
  /// Returns the total number of words in a document.
  static Index length(std::span<const Entry> document);

  /// Sorts the entries and merges those of the same word. Throws InputError for a word outside the
  /// vocabulary or a count that is not positive.
  void add(std::vector<Entry> document);

 private:
  Index words_;
  std::vector<std::size_t> begin_{0};
  std::vector<Entry> entries_;
};

}  // namespace sunder
