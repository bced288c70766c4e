#pragma once
/// A CP model that is built component by component.

#include <vector>

#include "sunder/core/cp_model.hpp"

namespace sunder {

/// One column of every factor for each component.
class ComponentList {
 public:
  ComponentList(const Shape& shape, Index most) : weights_(most) {
    for (const Index extent : shape) factors_.emplace_back(Matrix::Zero(extent, most));
  }

  /// Adds a component whose columns are zero at first.
  void add(double weight) { weights_[count_++] = weight; }
  auto column(int mode) { return factors_[mode].col(count_ - 1); }

  /// Normalised, heaviest first.
  CpModel model() && {
    std::vector<Matrix> factors;
    for (const Matrix& factor : factors_) factors.emplace_back(factor.leftCols(count_));
    CpModel result(weights_.head(count_), std::move(factors));
    result.normalise();
    result.sort_by_weight();
    return result;
  }

 private:
  Vector weights_;
  std::vector<Matrix> factors_;
  Index count_ = 0;
};

}  // namespace sunder
