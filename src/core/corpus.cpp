#include "sunder/core/corpus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sunder/core/error.hpp"

namespace sunder {

Index Corpus::length(std::span<const Entry> document) {
  Index sum = 0;
  for (const Entry& entry : document) sum += entry.count;
  return sum;
}

void Corpus::add(std::vector<Entry> document) {
  for (const Entry& entry : document) {
    if (entry.word < 0 || entry.word >= words_) {
      throw InputError(fmt::format("document {} has word {}, but there are only {} words",
                                   documents() + 1, entry.word + 1, words_));
    }
    if (entry.count < 1) {
      throw InputError(fmt::format("document {} has word {} {} times: counts must be positive",
                                   documents() + 1, entry.word + 1, entry.count));
    }
  }
  std::sort(document.begin(), document.end(),
            [](const Entry& a, const Entry& b) { return a.word < b.word; });
  for (const Entry& entry : document) {
    if (entries_.size() > begin_.back() && entries_.back().word == entry.word) {
      if (__builtin_add_overflow(entries_.back().count, entry.count, &entries_.back().count)) {
        throw InputError(fmt::format("document {} has word {} more than {} times", documents() + 1,
                                     entry.word + 1, std::numeric_limits<std::int32_t>::max()));
      }
    } else {
      entries_.push_back(entry);
    }
  }
  begin_.push_back(entries_.size());
}

}  // namespace sunder
