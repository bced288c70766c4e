#include "sunder/core/sparse_tensor.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "sunder/core/error.hpp"

namespace sunder {

SparseTensor::SparseTensor(const Shape& shape, std::vector<Index> positions,
                           std::vector<double> values)
    : shape_(shape), positions_(std::move(positions)), values_(std::move(values)) {
  if (positions_.size() != values_.size()) {
    throw InputError(
        fmt::format("a sparse tensor needs one value per coordinate, but {} values came "
                    "with {} coordinates",
                    values_.size(), positions_.size()));
  }
  if (!std::is_sorted(positions_.begin(), positions_.end())) {
    std::vector<std::size_t> by_position(positions_.size());
    std::iota(by_position.begin(), by_position.end(), std::size_t{0});
    std::sort(by_position.begin(), by_position.end(),
              [&](std::size_t a, std::size_t b) { return positions_[a] < positions_[b]; });
    std::vector<Index> sorted_positions;
    std::vector<double> sorted_values;
    sorted_positions.reserve(positions_.size());
    sorted_values.reserve(positions_.size());
    for (const std::size_t k : by_position) {
      sorted_positions.push_back(positions_[k]);
      sorted_values.push_back(values_[k]);
    }
    positions_ = std::move(sorted_positions);
    values_ = std::move(sorted_values);
  }
  if (!positions_.empty() && (positions_.front() < 0 || positions_.back() >= shape_.entries())) {
    throw InputError(fmt::format("a coordinate lies outside the tensor ({})", to_string(shape_)));
  }
  if (std::adjacent_find(positions_.begin(), positions_.end()) != positions_.end()) {
    throw InputError("a coordinate of the sparse tensor is given twice");
  }
}

double SparseTensor::norm() const {
  return Eigen::Map<const Eigen::VectorXd>(values_.data(), static_cast<Index>(values_.size()))
      .stableNorm();
}

SupportScore compare_support(const SparseTensor& found, const SparseTensor& truth) {
  std::size_t common = 0;
  auto a = found.positions().begin();
  auto b = truth.positions().begin();
  while (a != found.positions().end() && b != truth.positions().end()) {
    if (*a == *b) {
      ++common, ++a, ++b;
    } else if (*a < *b) {
      ++a;
    } else {
      ++b;
    }
  }
  SupportScore score;
  const auto share = [&](Index of) {
    return static_cast<double>(common) / static_cast<double>(of);
  };
  if (found.count() > 0) score.precision = share(found.count());
  if (truth.count() > 0) score.recall = share(truth.count());
  return score;
}

}  // namespace sunder
