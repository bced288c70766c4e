#include "sunder/core/corpus.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "sunder/core/error.hpp"

namespace sunder {
namespace {

TEST(Corpus, SortsAndAddsUp) {
  Corpus corpus(4);
  corpus.add({{3, 1}, {1, 2}, {3, 4}});
  corpus.add({});
  corpus.add({{3, 1}});
  ASSERT_EQ(corpus.documents(), 3);
  EXPECT_EQ(corpus.entries(), 3);
  const auto first = corpus.document(0);
  ASSERT_EQ(first.size(), 2U);
  EXPECT_EQ(first[0].word, 1);
  EXPECT_EQ(first[1].word, 3);
  EXPECT_EQ(first[1].count, 5);
  EXPECT_EQ(Corpus::length(first), 7);
  EXPECT_TRUE(corpus.document(1).empty());
  EXPECT_EQ(corpus.document(2)[0].count, 1);  // not added to the word that ends the first
}

TEST(Corpus, RefusesWhatIsNoCount) {
  Corpus corpus(4);
  EXPECT_THROW(corpus.add({{4, 1}}), InputError);
  EXPECT_THROW(corpus.add({{-1, 1}}), InputError);
  EXPECT_THROW(corpus.add({{0, 0}}), InputError);
  EXPECT_EQ(corpus.documents(), 0);
}

TEST(Corpus, RefusesCountsWhoseSumIsTooLarge) {
  Corpus corpus(2);
  const std::int32_t most = std::numeric_limits<std::int32_t>::max();
  EXPECT_THROW(corpus.add({{1, most}, {1, 1}}), InputError);
}

}  // namespace
}  // namespace sunder
