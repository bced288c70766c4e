#pragma once
/// The two inner loops of a robust regression of one row, y ~ K a, behind run-time dispatch.
///
/// K is stored component after component, each `stride` apart, aligned and padded with zeros to
/// whole vectors; y and everything of its length is padded likewise.

#include "sunder/core/shape.hpp"

namespace sunder::kernels {

struct Design {
  const double* columns = nullptr;  ///< K: component k begins at columns + k * stride
  Index length = 0;                 ///< entries of a row, padded
  Index stride = 0;
  Index rank = 0;
};

/// r = y - K a.
void row_residual(const Design& design, const double* y, const double* a, double* r);

/// w = (1 + (r / c)^2)^-2 times `observed` where that is not null; returns the sum of w.
double geman_mcclure_weights(Index length, const double* r, const double* observed, double c,
                             double* w);

/// w = [|r| <= c] times `observed`; returns the sum of w.
double threshold_weights(Index length, const double* r, const double* observed, double c,
                         double* w);

/// normal = K' W K (lower triangle, rank x rank, column by column) and gradient = K' W r.
/// Flops: rank (rank + 3) for each entry.
void weighted_normal(const Design& design, const double* r, const double* w, double* normal,
                     double* gradient);

namespace reference {
void row_residual(const Design& design, const double* y, const double* a, double* r);
double geman_mcclure_weights(Index length, const double* r, const double* observed, double c,
                             double* w);
double threshold_weights(Index length, const double* r, const double* observed, double c,
                         double* w);
void weighted_normal(const Design& design, const double* r, const double* w, double* normal,
                     double* gradient);
}  // namespace reference

}  // namespace sunder::kernels
