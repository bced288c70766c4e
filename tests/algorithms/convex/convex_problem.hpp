#pragma once
/// What the tests of the convex methods share.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "planted_problem.hpp"
#include "sunder/algorithms/decomposition.hpp"

namespace sunder::test {

/// L of components whose entries are all of one size, the most incoherent there are: the products
/// of normal factors are peaked, and the convex matrix methods take the peaks of their flattenings
/// for corruption. S with values as large as L, of either sign.
inline PlantedTensor flat_problem(const Shape& shape, int rank, double density, std::uint64_t seed,
                                  double missing = 0) {
  Rng rng(seed, 1);
  PlantedTensor planted;
  std::vector<Matrix> factors;
  for (const Index extent : shape) {
    const double size = 1 / std::sqrt(static_cast<double>(extent));
    factors.push_back(
        Matrix::NullaryExpr(extent, rank, [&] { return rng.uniform() < 0.5 ? -size : size; }));
  }
  planted.low_rank = CpModel(Vector::Ones(rank), std::move(factors));
  planted.tensor = dense(planted.low_rank);
  const double largest = rank / std::sqrt(static_cast<double>(shape.entries()));
  std::vector<Index> positions;
  std::vector<double> values;
  for (Index at = 0; at < shape.entries(); ++at) {
    double& entry = planted.tensor.typed<double>()[at];
    if (rng.uniform() < missing) {
      entry = std::numeric_limits<double>::quiet_NaN();
    } else if (rng.uniform() < density) {
      const double value = rng.uniform(0.5 * largest, largest);
      positions.push_back(at);
      values.push_back(rng.uniform() < 0.5 ? -value : value);
      entry += values.back();
    }
  }
  planted.sparse = SparseTensor(shape, std::move(positions), std::move(values));
  return planted;
}

/// The largest |T - L - S| over the observed entries.
inline double largest_gap(const TensorView& tensor, const Decomposition& result) {
  const DenseTensor low_rank = dense(result.low_rank);
  std::vector<double> sum(low_rank.typed<double>().begin(), low_rank.typed<double>().end());
  for (std::size_t k = 0; k < result.sparse.values().size(); ++k) {
    sum[result.sparse.positions()[k]] += result.sparse.values()[k];
  }
  double largest = 0;
  for (Index at = 0; at < tensor.entries(); ++at) {
    const ModeIndices index = tensor.shape().unravel(at);
    const double t = tensor(std::span(index.data(), static_cast<std::size_t>(tensor.order())));
    if (!std::isnan(t)) {
      largest = std::max(largest, std::abs(t - sum[at]));
    }
  }
  return largest;
}

inline void expect_same_bits(const Decomposition& one, const Decomposition& other) {
  ASSERT_EQ(one.low_rank.rank(), other.low_rank.rank());
  for (int mode = 0; mode < one.low_rank.order(); ++mode) {
    EXPECT_TRUE((one.low_rank.factor(mode).array() == other.low_rank.factor(mode).array()).all());
  }
  EXPECT_TRUE(std::equal(one.sparse.values().begin(), one.sparse.values().end(),
                         other.sparse.values().begin(), other.sparse.values().end()));
}

}  // namespace sunder::test
