#pragma once
/// Documents and vocabularies in files.

#include <filesystem>
#include <string>
#include <vector>

#include "sunder/core/corpus.hpp"

namespace sunder {

/// The text format of the UCI bag-of-words collection: three lines with the numbers of documents,
/// words and entries, then a line "document word count" for each entry, numbered from 1, sorted by
/// document. Anything that is an array instead (.npy, .mat, HDF5) is taken as counts, documents x
/// words. Throws InputError that names the line.
Corpus read_corpus(const std::string& location);

/// One word in a line. Throws InputError unless there are `words` of them.
std::vector<std::string> read_vocabulary(const std::filesystem::path& path, Index words);

void write_docword(const std::filesystem::path& path, const Corpus& corpus);

}  // namespace sunder
