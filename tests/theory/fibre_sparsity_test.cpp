#include <gtest/gtest.h>

#include <map>

#include "sunder/theory/block_structure.hpp"
#include "theory/block_support.hpp"

namespace sunder {
namespace {

TEST(FibreSparsity, AgreesWithCounting) {
  for (const Shape& shape : {Shape{9, 7, 8}, Shape{12, 11}, Shape{4, 5, 3, 6}}) {
    const SparseTensor sparse = testing::scattered(shape, 0.3, 2);
    const FibreSparsity found = measure_fibres(sparse);
    Index largest = 0;
    for (int mode = 0; mode < shape.order(); ++mode) {
      std::map<ModeIndices, Index> count;
      for (Index k = 0; k < sparse.count(); ++k) {
        ModeIndices index = sparse.coordinates(k);
        index[mode] = 0;
        const Index now = ++count[index];
        largest = std::max(largest, now);
      }
      Index expected = 0;
      for (const auto& [fibre, entries] : count) expected = std::max(expected, entries);
      EXPECT_EQ(found.of_mode[mode], expected);
    }
    EXPECT_EQ(found.largest, largest);
  }
}

TEST(FibreSparsity, OfNothing) {
  const FibreSparsity found = measure_fibres(SparseTensor({3, 4}));
  EXPECT_EQ(found.largest, 0);
  EXPECT_EQ(found.of_mode, (std::vector<Index>{0, 0}));
}

}  // namespace
}  // namespace sunder
