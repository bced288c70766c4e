// Documents as docword text and, after a form feed, their vocabulary.
#include "fuzz.hpp"
#include "sunder/io/corpus_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sunder;
  static const fuzz::Scratch scratch;
  const auto cut = static_cast<std::size_t>(std::find(data, data + size, '\f') - data);
  const std::size_t rest = std::min(size, cut + 1);
  const std::string documents = scratch.file("docword.txt", {data, cut});
  const std::string words = scratch.file("vocab.txt", {data + rest, size - rest});
  return fuzz::expect_answer_or_error([&] {
    const Corpus corpus = read_corpus(documents);
    Index total = 0;
    for (Index d = 0; d < corpus.documents(); ++d) total += Corpus::length(corpus.document(d));
    if (total < 0) std::abort();
    read_vocabulary(words, corpus.words());
  });
}
