#include "sunder/io/corpus_file.hpp"

#include <gtest/gtest.h>

#include "io/npy/npy_header.hpp"
#include "io/temporary_folder.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

using testing::TemporaryFolder;
using testing::write_bytes;

TEST(CorpusFile, WhatIsWrittenIsReadBack) {
  const TemporaryFolder folder;
  Corpus corpus(5);
  corpus.add({{0, 3}, {4, 1}});
  corpus.add({});
  corpus.add({{2, 7}});
  corpus.add({});
  write_docword(folder / "docword.txt", corpus);
  const Corpus back = read_corpus((folder / "docword.txt").string());
  EXPECT_EQ(back.words(), 5);
  ASSERT_EQ(back.documents(), 4);
  ASSERT_EQ(back.entries(), 3);
  EXPECT_EQ(back.document(0)[1].word, 4);
  EXPECT_EQ(back.document(2)[0].count, 7);
  EXPECT_TRUE(back.document(1).empty());
}

TEST(CorpusFile, VocabularyHasAWordForEach) {
  const TemporaryFolder folder;
  write_bytes(folder / "vocabulary.txt", "one\r\ntwo words\nthree");
  EXPECT_EQ(read_vocabulary(folder / "vocabulary.txt", 3),
            (std::vector<std::string>{"one", "two words", "three"}));
  EXPECT_THROW(read_vocabulary(folder / "vocabulary.txt", 4), InputError);
  EXPECT_THROW(read_vocabulary(folder / "nowhere.txt", 3), InputError);
}

TEST(CorpusFile, AHeaderCannotAskForMoreThanTheFileAccountsFor) {
  const TemporaryFolder folder;
  const std::string path = (folder / "docword.txt").string();
  write_bytes(path, "9000000000000000000\n1\n0\n");
  EXPECT_THROW(read_corpus(path), InputError);
  write_bytes(path, "1000000\n1\n0\n");  // so many may be empty
  EXPECT_EQ(read_corpus(path).documents(), 1000000);
  write_bytes(path, "2\n1\n9000000000000000000\n1 1 1\n");
  EXPECT_THROW(read_corpus(path), InputError);
}

TEST(CorpusFile, AnArrayWithoutWordsIsRefused) {
  const TemporaryFolder folder;
  const std::string path = (folder / "counts.npy").string();
  write_bytes(path, format_npy_header("<f8", StorageOrder::c, Shape{Index{1} << 50, 0}));
  EXPECT_THROW(read_corpus(path), InputError);
}

}  // namespace
}  // namespace sunder
