#pragma once
/// Checks that the tests of several methods share: degenerate data, scaling, cancellation,
/// refusals.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "sunder/algorithms/decomposition.hpp"
#include "sunder/algorithms/options.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/error.hpp"

namespace sunder::test {

inline void fill(DenseTensor& tensor, double value) {
  for (double& x : tensor.typed<double>()) x = value;
}

/// Calls check(tensor) for every shape and every value, with a tensor of that one value.
inline void for_constant_tensors(std::initializer_list<double> values,
                                 const std::vector<Shape>& shapes,
                                 const std::function<void(const DenseTensor&)>& check) {
  for (const double value : values) {
    for (const Shape& shape : shapes) {
      DenseTensor tensor(shape);
      fill(tensor, value);
      SCOPED_TRACE(to_string(shape) + " of " + std::to_string(value));
      check(tensor);
    }
  }
}

inline std::vector<Shape> degenerate_shapes() {
  return {Shape{2, 2}, Shape{5, 4, 3}, Shape{1, 1, 1}, Shape{30, 1, 2}};
}

inline double norm_of(const DenseTensor& tensor) {
  double sum = 0;
  for (const double x : tensor.typed<double>()) sum += x * x;
  return std::sqrt(sum);
}

/// Multiplies the data by 1024 and expects L to follow, within a relative tolerance.
inline void expect_result_scales(DenseTensor& tensor, const std::function<Decomposition()>& solve,
                                 double tolerance) {
  const Decomposition plain = solve();
  for (double& x : tensor.typed<double>()) x *= 1024;
  const Decomposition scaled = solve();
  EXPECT_NEAR(scaled.low_rank.norm(), 1024 * plain.low_rank.norm(),
              tolerance * scaled.low_rank.norm());
  EXPECT_EQ(scaled.sparse_count, plain.sparse_count);
}

/// The model of a tensor whose modes were permuted by (2, 0, 1), in the original order.
inline CpModel turned_back(const CpModel& model) {
  return {model.weights(), {model.factor(1), model.factor(2), model.factor(0)}};
}

/// Expects equal factors, and an S of equal norm.
inline void expect_same_parts(const Decomposition& one, const Decomposition& other) {
  ASSERT_EQ(one.low_rank.rank(), other.low_rank.rank());
  for (int mode = 0; mode < one.low_rank.order(); ++mode) {
    EXPECT_TRUE((one.low_rank.factor(mode).array() == other.low_rank.factor(mode).array()).all());
  }
  EXPECT_EQ(one.sparse_norm, other.sparse_norm);
}

/// The same run, cancelled at every `period`-th report.
inline RunOptions cancelled_at(int period, RunOptions run) {
  run.progress = [period, reports = std::make_shared<int>(0)](const Progress& progress) {
    EXPECT_LE(progress.fraction, 1);
    return ++*reports % period != 0 ? Continue::yes : Continue::cancel;
  };
  return run;
}

/// Expects a method on 3 x 3 x 4 to take rank 3, and to refuse ranks 0 and 4.
template <class Solve>
void expect_refuses_ranks(const Solve& solve) {
  EXPECT_NO_THROW(solve(3));
  EXPECT_THROW(solve(0), OptionError);
  EXPECT_THROW(solve(4), InputError);
}

using Attempts = std::initializer_list<std::function<void()>>;

inline void expect_refuses_infinity(DenseTensor& tensor, Attempts attempts) {
  tensor.typed<double>()[7] = std::numeric_limits<double>::infinity();
  for (const auto& attempt : attempts) EXPECT_THROW(attempt(), InputError);
}

inline void expect_refuses_only_missing(DenseTensor& tensor, Attempts attempts) {
  fill(tensor, std::numeric_limits<double>::quiet_NaN());
  for (const auto& attempt : attempts) EXPECT_THROW(attempt(), InputError);
}

}  // namespace sunder::test
