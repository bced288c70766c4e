#pragma once
/// Files of documents and vocabularies.

#include <filesystem>
#include <string>
#include <vector>

#include "sunder/core/corpus.hpp"

namespace sunder {

/// Reads the text format of the UCI bag-of-words collection: three lines with the numbers of
/// documents, words and entries, then a line "document word count" for each entry, numbered from 1
/// and sorted by document. A file that is an array (.npy, .mat, HDF5) is read as counts, documents
/// x words. Throws InputError that names the line.
Corpus read_corpus(const std::string& location);

/// Reads a vocabulary, one word per line. Throws InputError unless it has exactly `words` words.
std::vector<std::string> read_vocabulary(const std::filesystem::path& path, Index words);

void write_docword(const std::filesystem::path& path, const Corpus& corpus);

}  // namespace sunder
