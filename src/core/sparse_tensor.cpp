#include "sunder/core/sparse_tensor.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "sunder/core/error.hpp"

namespace sunder {

namespace {

/// Sorts pairs in one list: sorting by indices would jump through memory and need more of it.
void sort_by_position(std::vector<Index>& positions, std::vector<double>& values) {
  if (std::is_sorted(positions.begin(), positions.end())) return;
  struct Entry {
    Index position;
    double value;
  };
  std::vector<Entry> entries(positions.size());
  for (std::size_t k = 0; k < entries.size(); ++k) entries[k] = {positions[k], values[k]};
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.position < b.position; });
  for (std::size_t k = 0; k < entries.size(); ++k) {
    positions[k] = entries[k].position;
    values[k] = entries[k].value;
  }
}

}  // namespace

SparseTensor::SparseTensor(const Shape& shape, std::vector<Index> positions,
                           std::vector<double> values)
    : shape_(shape), positions_(std::move(positions)), values_(std::move(values)) {
  if (positions_.size() != values_.size()) {
    throw InputError(
        fmt::format("a sparse tensor needs one value per coordinate, but {} values came "
                    "with {} coordinates",
                    values_.size(), positions_.size()));
  }
  sort_by_position(positions_, values_);
  if (!positions_.empty() && (positions_.front() < 0 || positions_.back() >= shape_.entries())) {
    throw InputError(fmt::format("a coordinate lies outside the tensor ({})", to_string(shape_)));
  }
  if (std::adjacent_find(positions_.begin(), positions_.end()) != positions_.end()) {
    throw InputError("a coordinate of the sparse tensor is given twice");
  }
}

double SparseTensor::norm() const {
  return Eigen::Map<const Eigen::VectorXd>(values_.data(), std::ssize(values_)).stableNorm();
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
