#pragma once
/// One read of some fibres of a tensor under a mixture density: normal noise whose variance is a
/// product of scales, and gross errors whose density is a table.
///
/// The unit of everything but `values` and the factors is the standard deviation s of the noise:
/// r = R / s, u = v / s^2, densities times s. Residuals are computed in double precision, because
/// they may be small differences of large numbers. What follows from them is in single precision:
/// its errors of 1e-7 are far below those that noise leaves in any sum over entries.

#include <array>
#include <cstdint>

#include "sunder/core/shape.hpp"

namespace sunder::kernels {

/// What the density needs, the same for every entry.
struct MixtureDensity {
  static constexpr int signal_bins = 24;

  double inverse_deviation = 1;  ///< 1 / s
  double inverse_signal = 1;     ///< x = |L| times this
  float narrow = 0;              ///< density of the inliers at r = 0, for u = 1
  float wide = 0;                ///< that of the wide inliers; 0 if there are none
  float wide_shrinks = 1;        ///< 1 / their variance, in that of the others
  bool grows = false;            ///< whether u grows with x: by 1 + x (growth[0] + x growth[1])
  std::array<float, 2> growth{};
  float most_root = 1;    ///< of 1 / sqrt(u)
  float least_steps = 0;  ///< of log2(u) in steps: the same bound

  // The bin of a residual is linear within each octave of 1 + |r| per_unit (ResidualBins).
  float per_unit = 1;
  int shift = 20;  ///< of the bits of a float
  int bins_of_side = 128;
  /// By bin, two floats in each number: share times density of gross errors, and the slope of its
  /// logarithm.
  const double* outliers = nullptr;

  float steps_per_octave = 4;  ///< of u, in the table of counts
  int variances = 48;          ///< steps in that table
  float signal_bins_per_root = 6;
};

/// A panel of fibres: `rows` of them with `columns` entries each. Columns are padded to `padded`.
struct MixtureTask {
  static constexpr Index padding = 16;  ///< lanes of the widest vector
  static constexpr int sums = 4;        ///< score^2, weight / u, P(inlier), weight r^2 / u

  const MixtureDensity* density = nullptr;
  const double* values = nullptr;
  const double* observed = nullptr;  ///< 1 or 0; null if nothing is missing
  bool has_ends = false;             ///< whether entries at the ends are only known to lie beyond
  double lowest = 0;
  double highest = 0;
  Index rows = 0;
  Index columns = 0;
  Index padded = 0;
  Index rank = 0;

  // The model, and the variance. Arrays over columns are aligned and padded.
  const double* products = nullptr;  ///< of the rows: rows x rank
  const double* factor = nullptr;    ///< of the columns: rank x padded
  const float* factor_single = nullptr;
  const float* row_roots = nullptr;  ///< 1 / sqrt(u) is the product of a row's and a column's
  const float* column_roots = nullptr;
  const float* row_steps = nullptr;  ///< log2(u) in steps is the sum of a row's and a column's
  const float* column_steps = nullptr;
  const unsigned char* is_sampled = nullptr;  ///< rows that count in the sums by |L|

  // Sums: the kernel adds to them, except for those of a row, which it sets.
  double* along = nullptr;          ///< sum of psi times factor, rows x rank
  float* gradient = nullptr;        ///< sum of psi times products, rank x padded
  double* row_sums = nullptr;       ///< rows x (sums + 1); the last counts observed entries
  float* column_sums = nullptr;     ///< (sums + 1) x padded
  double* signal_sums = nullptr;    ///< signal_bins x 4: w, weight r^2 / u, w x, w x^2
  std::uint32_t* counts = nullptr;  ///< variances x bins, and one that nobody reads
  double* log_density = nullptr;    ///< one number: of r

  // Of every entry, rows x columns; null if nobody wants them.
  double* curvature = nullptr;  ///< weight / u
  double* inlier = nullptr;     ///< P(inlier)
  double* variance = nullptr;   ///< u
};

/// About 2 rank FMAs in double and 4 rank in single precision for each entry, and some 60 other
/// operations; reads each value once. Nothing may alias.
void mixture_pass(const MixtureTask& task);

}  // namespace sunder::kernels
