#pragma once
/// Convex separation of a small dense matrix into a low-rank and a sparse part.

#include <functional>

#include "sunder/core/cp_model.hpp"

namespace sunder {

struct ContractionPcpOptions {
  double weight = 0;  ///< nu, of the l1 norm
  double tolerance = 1e-10;
  int max_iterations = 500;
};

struct ContractionPcp {
  Matrix low_rank;
  double sparse_share = 0;  ///< of the entries that are not zero in the sparse part
  double penalty = 0;       ///< the last mu
  double residual = 0;      ///< ||Z - X - Y||_F / ||Z||_F
  int iterations = 0;
  bool converged = true;
};

/// Minimises ||X||_* + nu ||Y||_1 subject to X + Y = Z, by the inexact augmented Lagrangian method
/// (Lin et al. 2010). `beat` is called for each iteration, and may throw.
ContractionPcp contraction_pcp(const Matrix& z, const ContractionPcpOptions& options,
                               const std::function<void()>& beat = {});

}  // namespace sunder
