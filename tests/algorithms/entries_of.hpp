#pragma once
/// A dense tensor as an operator.

#include "algorithms/cp/tensor_operator.hpp"
#include "sunder/core/dense_tensor.hpp"

namespace sunder::test {

struct EntriesOf {
  explicit EntriesOf(const DenseTensor& tensor)
      : engine(tensor.view(), 1),
        zero(CpModel::zero(tensor.shape())),
        entries(engine, zero, Rule::keep_all()) {}

  Engine engine;
  CpModel zero;
  CleanedTensor entries;
};

}  // namespace sunder::test
