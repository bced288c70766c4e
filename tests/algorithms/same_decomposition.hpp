#pragma once
/// The same tensor stored otherwise, and the same answer to the last bit.

#include <gtest/gtest.h>

#include <algorithm>

#include "sunder/algorithms/decomposition.hpp"
#include "sunder/core/dense_tensor.hpp"

namespace sunder::test {

/// The same entries in Fortran order.
inline DenseTensor turned(const DenseTensor& tensor) {
  DenseTensor result(tensor.shape(), tensor.type(), StorageOrder::fortran);
  const TensorView from = tensor.view();
  with_scalar_type(tensor.type(), [&]<class T>() {
    for (Index p = 0; p < tensor.entries(); ++p) {
      const ModeIndices index = tensor.shape().unravel(p);
      Index offset = 0;
      for (int m = 0; m < from.order(); ++m) {
        offset += index[m] * result.view().stride(m);
      }
      result.typed<T>()[offset] = tensor.typed<T>()[p];
    }
  });
  return result;
}

inline void expect_same_answer(const Decomposition& a, const Decomposition& b) {
  ASSERT_EQ(a.low_rank.rank(), b.low_rank.rank());
  EXPECT_TRUE(a.low_rank.weights() == b.low_rank.weights());
  for (int mode = 0; mode < a.low_rank.order(); ++mode) {
    EXPECT_TRUE(a.low_rank.factor(mode) == b.low_rank.factor(mode));
  }
  EXPECT_EQ(a.outcome, b.outcome);
  EXPECT_EQ(a.certificate.level, b.certificate.level);
  EXPECT_EQ(a.sparse_count, b.sparse_count);
  EXPECT_EQ(a.missing_count, b.missing_count);
  EXPECT_EQ(a.passes, b.passes);
  EXPECT_EQ(a.entries_sampled, b.entries_sampled);
}

/// The same answer, S and trace: what a resumed run must give.
inline void expect_same_run(const Decomposition& a, const Decomposition& b) {
  expect_same_answer(a, b);
  EXPECT_EQ(a.certificate.explanation, b.certificate.explanation);
  EXPECT_TRUE(std::ranges::equal(a.sparse.positions(), b.sparse.positions()));
  EXPECT_TRUE(std::ranges::equal(a.sparse.values(), b.sparse.values()));
  ASSERT_EQ(a.trace.size(), b.trace.size());
  for (std::size_t k = 0; k < a.trace.size(); ++k) {
    EXPECT_EQ(a.trace[k].stage, b.trace[k].stage);
    EXPECT_EQ(a.trace[k].pass, b.trace[k].pass);
    EXPECT_EQ(a.trace[k].entries_sampled, b.trace[k].entries_sampled);
  }
}

}  // namespace sunder::test
