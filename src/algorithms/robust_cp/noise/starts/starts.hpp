#pragma once
/// Starts for a fit under noise, of every degree of robustness. Each returns balanced factors with
/// `rank` columns.

#include <optional>

#include "algorithms/robust_cp/core/dense_core.hpp"

namespace sunder::robust {

struct GraduatedStartOptions {
  int surplus = 0;         ///< components beyond the rank at the start; pruned on the way
  double first_width = 6;  ///< of the first scale, in lower quartiles of |residual|
  /// If set, the scale stays so wide that this share of the residuals lies inside, and the start
  /// sees the data as they are instead of clipped.
  std::optional<double> floor_quantile = {};
  const Factors* from = nullptr;  ///< start from these factors, which may have surplus components,
  double first_scale = 0;         ///< and from this scale
};

/// Geman-McClure weights whose scale shrinks to a few standard deviations of the noise.
Factors graduated_start(const DenseCore& core, int rank, const GraduatedStartOptions& options,
                        Rng& rng, Monitor& monitor);

/// Plain least squares in the leading subspaces; missing entries are filled in by the model.
Factors least_squares_start(const DenseCore& core, int rank, Rng& rng, Monitor& monitor);

/// From the factors of least squares by weights that become narrower: for signals whose peaks look
/// like errors.
Factors descending_start(const DenseCore& core, Factors factors, Rng& rng, Monitor& monitor);

/// One component after the other: the leading term of the weighted residual, then all together.
Factors greedy_start(const DenseCore& core, int rank, Rng& rng, Monitor& monitor);

/// The factors with one component more: the leading term of what they leave. Larger residuals than
/// `scale` count less.
Factors with_leading_term(const DenseCore& core, Factors factors, double scale, Rng& rng,
                          Monitor& monitor);

/// From factors that are nearly right: one component more, the leading term of what they leave
/// (larger residuals than `scale` count less), and back to the rank.
Factors respawned_start(const DenseCore& core, const Factors& factors, int rank, double scale,
                        Rng& rng, Monitor& monitor);

/// From data `clean` whose errors were replaced by a model: errors are replaced by a Tucker model a
/// few times more (it has no swamps), and that is decomposed to a tight tolerance, by simultaneous
/// diagonalisation as well, which tells parallel components apart.
Factors clean_start(const DenseCore& core, Entries clean, int rank, Rng& rng, Monitor& monitor);

}  // namespace sunder::robust
