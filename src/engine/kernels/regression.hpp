#pragma once
/// The two inner loops of the robust regression of one row, y ~ K a, with run-time dispatch.
///
/// K is stored by components, `stride` apart, aligned and padded with zeros to whole vectors; y and
/// all arrays of its length are padded likewise.

#include "sunder/core/shape.hpp"

namespace sunder::kernels {

struct Design {
  const double* columns = nullptr;  ///< K: component k begins at columns + k * stride
  Index length = 0;                 ///< entries of a row, padded
  Index stride = 0;
  Index rank = 0;
};

/// Computes r = y - K a.
void row_residual(const Design& design, const double* y, const double* a, double* r);

/// Computes w = (1 + (r / c)^2)^-2, times `observed` where that is not null; returns the sum of w.
double geman_mcclure_weights(Index length, const double* r, const double* observed, double c,
                             double* w);

/// Computes w = [|r| <= c] times `observed`; returns the sum of w.
double threshold_weights(Index length, const double* r, const double* observed, double c,
                         double* w);

/// Computes normal = K' W K (lower triangle, rank x rank, column by column) and gradient = K' W r.
/// Flops: rank (rank + 3) per entry.
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
