#pragma once
/// The figures that both the summary and the report derive from a result.

#include <limits>

#include "sunder/algorithms/decomposition.hpp"

namespace sunder {

inline Shape shape_of(const Decomposition& result) { return result.low_rank.shape(); }

/// Returns the share of the observed entries that are in S; 0 if nothing was observed.
inline double sparse_fraction(const Decomposition& result) {
  const Index observed = shape_of(result).entries() - result.missing_count;
  return observed > 0 ? static_cast<double>(result.sparse_count) / static_cast<double>(observed)
                      : 0;
}

/// Returns ||T - L - S|| / ||T|| at the end of the run; NaN if no pass was recorded.
inline double final_residual(const Decomposition& result) {
  return result.trace.empty() ? std::numeric_limits<double>::quiet_NaN()
                              : result.trace.back().kept_residual;
}

}  // namespace sunder
