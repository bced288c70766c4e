#pragma once
/// What a pass must give: the obvious loops of engine/kernels/reference.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "engine/kernels/reference/pass.hpp"
#include "engine/pass/pass.hpp"
#include "planted_problem.hpp"
#include "sunder/core/dense_tensor.hpp"

namespace sunder::test {

inline constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

inline void expect_close(const Matrix& actual, const Matrix& expected, double rounding) {
  ASSERT_EQ(actual.rows(), expected.rows());
  ASSERT_EQ(actual.cols(), expected.cols());
  EXPECT_LE((actual - expected).norm(), rounding * (1 + expected.norm()));
}

inline void expect_close(double actual, double expected, double rounding) {
  EXPECT_NEAR(actual, expected, rounding * (1 + std::abs(expected)));
}

inline void expect_same_slices(const SliceStatistics& actual, const SliceStatistics& expected,
                               double rounding) {
  EXPECT_EQ(actual.observed, expected.observed);
  EXPECT_EQ(actual.fitted, expected.fitted);
  EXPECT_EQ(actual.kept, expected.kept);
  ASSERT_EQ(actual.extent(), expected.extent());
  for (std::size_t i = 0; i < expected.kept_square_sum.size(); ++i) {
    expect_close(actual.kept_square_sum[i], expected.kept_square_sum[i], rounding);
  }
}

/// Whether any residual lies so close to a decision that rounding may take it either way.
inline bool has_ties(const TensorView& tensor, const PassRequest& request) {
  if (request.model->rank() == 0) return false;  // whole numbers are exact
  PassRequest listing{.model = request.model, .rule = Rule::hard_threshold(0)};
  listing.collect_sparse = true;
  const double rounding = request.precision == Precision::f32 ? 1e-5 : 1e-11;
  const SparseTensor residuals = reference::pass(tensor, listing).sparse;
  return std::any_of(residuals.values().begin(), residuals.values().end(), [&](double r) {
    return std::abs(std::abs(r) - request.rule.scale) < rounding ||
           std::abs(std::abs(r) - request.fit_tolerance) < rounding;
  });
}

inline void expect_by_definition(const TensorView& tensor, const PassRequest& request) {
  ASSERT_FALSE(has_ties(tensor, request)) << "choose another threshold or seed";
  const double rounding = request.precision == Precision::f32 ? 2e-5 : 1e-11;
  const PassResult expected = reference::pass(tensor, request);
  const PassResult actual = pass(tensor, request, 2);
  ASSERT_EQ(actual.mttkrp.size(), expected.mttkrp.size());
  for (std::size_t mode = 0; mode < expected.mttkrp.size(); ++mode) {
    expect_close(actual.mttkrp[mode], expected.mttkrp[mode], rounding);
  }
  const PassStatistics& seen = actual.statistics;
  const PassStatistics& wanted = expected.statistics;
  EXPECT_EQ(seen.kept, wanted.kept);
  EXPECT_EQ(seen.rejected, wanted.rejected);
  EXPECT_EQ(seen.missing, wanted.missing);
  expect_close(seen.kept_square_sum, wanted.kept_square_sum, rounding);
  expect_close(seen.rejected_square_sum, wanted.rejected_square_sum, rounding);
  expect_close(seen.weight_sum, wanted.weight_sum, rounding);
  expect_close(seen.cost_sum, wanted.cost_sum, rounding);
  expect_close(seen.data_square_sum, wanted.data_square_sum, rounding);
  expect_close(seen.data_max, wanted.data_max, rounding);
  EXPECT_EQ(seen.magnitudes.total(), wanted.magnitudes.total());
  ASSERT_EQ(actual.slices.size(), expected.slices.size());
  for (std::size_t mode = 0; mode < expected.slices.size(); ++mode) {
    expect_same_slices(actual.slices[mode], expected.slices[mode], rounding);
  }
  ASSERT_EQ(actual.sparse.count(), expected.sparse.count());
  for (std::size_t k = 0; k < expected.sparse.values().size(); ++k) {
    EXPECT_EQ(actual.sparse.positions()[k], expected.sparse.positions()[k]);
    expect_close(actual.sparse.values()[k], expected.sparse.values()[k], rounding);
  }
}

/// A tensor of small whole numbers, which every type can hold; NaN here and there where it can.
inline DenseTensor numbers(const Shape& shape, ScalarType type, StorageOrder order) {
  DenseTensor tensor(shape, type, order);
  Rng rng(11);
  with_scalar_type(type, [&]<class T>() {
    for (T& x : tensor.typed<T>()) {
      x = static_cast<T>(rng.below(7));
      if (std::is_floating_point_v<T> && rng.bernoulli(0.1)) x = static_cast<T>(nan_value);
    }
  });
  return tensor;
}

inline constexpr ScalarType every_type[] = {ScalarType::f64, ScalarType::f32, ScalarType::u8,
                                            ScalarType::u16, ScalarType::i16, ScalarType::i32};
inline constexpr Precision both_precisions[] = {Precision::f64, Precision::f32};
inline const Rule every_rule[] = {Rule::keep_all(), Rule::hard_threshold(2.98765),
                                  Rule::geman_mcclure(2.98765), Rule::huber(2.98765),
                                  Rule::tukey(2.98765)};
inline const Rule threshold = Rule::hard_threshold(2.98765);

inline std::string name(ScalarType type, const Shape& shape, Precision precision) {
  return std::string(to_string(type)) + " " + to_string(shape) +
         (precision == Precision::f32 ? " in f32" : " in f64");
}

}  // namespace sunder::test
