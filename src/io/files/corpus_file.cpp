#include "sunder/io/corpus_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <string_view>

#include "core/files/output_file.hpp"
#include "io/files/mapped_file.hpp"
#include "io/files/open_array.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace {

constexpr Index most_words = std::numeric_limits<std::int32_t>::max() - 1;
// Documents may be empty, but a short file that promises many more than it could list is damaged.
constexpr Index always_allowed = Index{1} << 20;

/// Reads integers one after another and keeps track of the line.
class NumberText {
 public:
  NumberText(std::string name, std::string_view text) : name_(std::move(name)), text_(text) {}

  /// Returns true if only white space is left.
  bool at_end() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
      if (text_[at_] == '\n') ++line_;
      ++at_;
    }
    return at_ == text_.size();
  }
  Index next(std::string_view what) {
    if (at_end()) fail(fmt::format("ends where {} should come", what));
    Index number = 0;
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), number);
    const bool whole =
        end == text_.data() + text_.size() || std::isspace(static_cast<unsigned char>(*end)) != 0;
    if (error != std::errc() || !whole)
      fail(fmt::format("has no number where {} should come", what));
    at_ += static_cast<std::size_t>(end - begin);
    return number;
  }
  Index next(std::string_view what, Index low, Index high) {
    const Index number = next(what);
    if (number < low || number > high) {
      fail(fmt::format("has {} where {} should come, from {} to {}", number, what, low, high));
    }
    return number;
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("{}, line {}, {}; expected UCI docword text", name_, line_, what));
  }

 private:
  std::string name_;
  std::string_view text_;
  std::size_t at_ = 0;
  Index line_ = 1;
};

Corpus read_docword(const std::filesystem::path& path) {
  const MappedFile file(path);
  const auto bytes = file.bytes();
  NumberText text(path.string(), {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  constexpr Index most = std::numeric_limits<Index>::max();
  const Index documents =
      text.next("the number of documents", 1, std::max(always_allowed, std::ssize(bytes)));
  const Index words = text.next("the number of words", 1, most_words);
  const Index entries = text.next("the number of entries", 0, most);
  Corpus corpus(words);
  std::vector<Corpus::Entry> document;
  Index number = 1;
  for (Index k = 0; k < entries; ++k) {
    const Index of = text.next("a document", 1, documents);
    if (of < number) text.fail("goes back to an earlier document: entries must be sorted");
    for (; number < of; ++number) {
      corpus.add(document);
      document.clear();
    }
    const auto word = static_cast<std::int32_t>(text.next("a word", 1, words) - 1);
    document.push_back({word, static_cast<std::int32_t>(text.next("a count", 1, most_words))});
  }
  if (!text.at_end()) text.fail(fmt::format("has more than the {} entries it promises", entries));
  for (; number <= documents; ++number) {
    corpus.add(document);
    document.clear();
  }
  return corpus;
}

Corpus corpus_of(const std::string& name, const TensorView& counts) {
  if (counts.order() != 2 || counts.entries() == 0) {
    throw InputError(
        fmt::format("{} must be a matrix of counts, documents x words, but has shape {}", name,
                    to_string(counts.shape())));
  }
  Corpus corpus(counts.shape()[1]);
  std::vector<Corpus::Entry> document;
  for (Index d = 0; d < counts.shape()[0]; ++d) {
    document.clear();
    for (Index v = 0; v < counts.shape()[1]; ++v) {
      const double count = counts({d, v});
      if (!(count >= 0) || count != std::floor(count) || count > static_cast<double>(most_words)) {
        throw InputError(
            fmt::format("{} has {} for document {} and word {}: counts must be whole "
                        "numbers that are not negative",
                        name, count, d, v));
      }
      if (count == 0) continue;
      document.push_back({static_cast<std::int32_t>(v), static_cast<std::int32_t>(count)});
    }
    corpus.add(document);
  }
  return corpus;
}

}  // namespace

Corpus read_corpus(const std::string& location) {
  const TensorLocation split = split_location(location);
  require_readable_file(split.path);
  if (const std::unique_ptr<TensorFile> array = open_array(split)) {
    return corpus_of(location, array->load().view);
  }
  require_no_name(split, "docword text");
  return read_docword(split.path);
}

std::vector<std::string> read_vocabulary(const std::filesystem::path& path, Index words) {
  require_readable_file(path);
  std::ifstream file(path);
  std::vector<std::string> list;
  for (std::string line; std::getline(file, line);) {
    if (line.ends_with('\r')) line.pop_back();
    list.push_back(line);
  }
  if (std::ssize(list) != words) {
    throw InputError(fmt::format("{} has {} words, one in a line, but the documents have {}",
                                 path.string(), list.size(), words));
  }
  return list;
}

void write_docword(const std::filesystem::path& path, const Corpus& corpus) {
  OutputFile file(path);
  std::string text =
      fmt::format("{}\n{}\n{}\n", corpus.documents(), corpus.words(), corpus.entries());
  constexpr std::size_t batch = 1 << 20;
  for (Index d = 0; d < corpus.documents(); ++d) {
    for (const Corpus::Entry& entry : corpus.document(d)) {
      fmt::format_to(std::back_inserter(text), "{} {} {}\n", d + 1, entry.word + 1, entry.count);
    }
    if (text.size() < batch) continue;
    file.write_values(std::span<const char>(text));
    text.clear();
  }
  file.write_values(std::span<const char>(text));
  file.commit();
}

}  // namespace sunder
