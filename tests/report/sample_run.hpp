#pragma once
/// Results to write about, made up rather than computed.

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "report/report.hpp"

namespace sunder::testing {

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

inline CpModel smooth_model(const Shape& shape, int rank) {
  std::vector<Matrix> factors;
  for (const Index extent : shape) {
    Matrix factor(extent, rank);
    for (Index i = 0; i < extent; ++i) {
      const double position = (static_cast<double>(i) + 0.5) / static_cast<double>(extent);
      for (int r = 0; r < rank; ++r) factor(i, r) = std::cos(3.14159 * (r + 1) * position);
    }
    factors.push_back(std::move(factor));
  }
  Vector weights(rank);
  for (int r = 0; r < rank; ++r) weights[r] = 10.0 / (r + 1);
  CpModel model(weights, factors);
  model.normalise();
  model.sort_by_weight();
  return model;
}

/// Every `stride`-th entry, with sizes over two decades.
inline SparseTensor strided_sparse(const Shape& shape, Index stride) {
  std::vector<Index> positions;
  std::vector<double> values;
  for (Index k = 0; k < shape.entries(); k += stride) {
    positions.push_back(k);
    values.push_back((k % 2 == 0 ? 1.0 : -1.0) * std::pow(10.0, std::sin(static_cast<double>(k))));
  }
  return SparseTensor(shape, std::move(positions), std::move(values));
}

inline std::vector<TraceRecord> falling_trace(int length) {
  std::vector<TraceRecord> trace;
  for (int k = 1; k <= length; ++k) {
    trace.push_back({.pass = 2 * k,
                     .stage = "rank 3",
                     .threshold = std::pow(0.7, k),
                     .kept_residual = 0.1 * std::pow(0.6, k) + 1e-9,
                     .sparse_fraction = 0.03,
                     .change = std::pow(0.5, k),
                     .seconds = 0.1 * k});
  }
  return trace;
}

inline Decomposition sample_result(const Shape& shape = {30, 20, 10}, int rank = 3) {
  Decomposition result;
  result.low_rank = smooth_model(shape, rank);
  result.set_sparse(strided_sparse(shape, 37));
  result.certificate = {Certified::exact, "Every slice has 90 % of its entries fitted."};
  result.missing_count = 12;
  result.passes = 60;
  result.seconds = 1.25;
  result.trace = falling_trace(30);
  return result;
}

/// A result under noise, two of whose samples are bad.
inline Decomposition noisy_result() {
  Decomposition result = sample_result();
  result.certificate.level = Certified::none;
  result.noise = {.known = true,
                  .family = "proportional, t",
                  .sigma = 0.25,
                  .outlier_share = 0.125,
                  .wide_share = 0.0625,
                  .linear_growth = 0,
                  .square_growth = 2,
                  .signal_size = 1.5,
                  .nats = -0.75,
                  .slice_deviations = {},
                  .edges = {-4, -1, 0, 1, 4},
                  .outlier_density = {0.1, 0.05, 0.05, 0.2}};
  for (const Index extent : result.low_rank.shape()) {
    const std::vector<double> ones(static_cast<std::size_t>(extent), 1.0);
    result.noise.slice_deviations.push_back(ones);
    result.slice_quality.push_back({ones, ones, std::vector<double>(ones.size(), 0.0)});
  }
  result.flagged_slices = {{0, 7, "another model", 0.5, 3, 2.5}, {0, 2, "few inliers", 0.25, 1, 2}};
  return result;
}

inline RunDescription sample_run() {
  return {.input = "measurement.npy",
          .dtype = "f64",
          .method = "rtd-als",
          .options = {{"rank", "3"}, {"tolerance", "1e-8"}, {"schedule", "geometric"}},
          .seed = 42,
          .group = {},
          .evaluation = {},
          .plan = {}};
}

inline Evaluation sample_evaluation() {
  return {1.5e-9, {0.99, 0.98}, {{0, 2, -1}, {1.0, 0.999, 0.0}}};
}

}  // namespace sunder::testing
