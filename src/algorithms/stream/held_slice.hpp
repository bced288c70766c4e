#pragma once
/// A slice that the stream keeps, and its regression onto given factors.

#include <cstdint>
#include <vector>

#include "algorithms/robust_cp/core/dense_core.hpp"

namespace sunder::streaming {

using robust::Entries;
using robust::Factors;

struct HeldSlice {
  Index number = 0;
  Entries values;    ///< in C order, 0 where missing
  Entries observed;  ///< 1 or 0; empty when nothing is missing
  Entries kept;      ///< 1 for the entries that belong to L, 0 for missing ones and for S
  Vector w;          ///< coefficients
  double sigma = 0;  ///< standard deviation of the residuals of the inliers
  double size = 0;   ///< rms of L

  bool is_observed(Index i) const { return observed.size() == 0 || observed[i] > 0; }
  Index missing() const;
  /// Whether every list has the length that it must have, which a damaged file can violate.
  bool fits(Index entries, Index rank) const {
    return values.size() == entries && (observed.size() == 0 || observed.size() == entries) &&
           kept.size() == entries && w.size() == rank;
  }
};

/// For state files.
template <class Archive>
void describe(Archive& archive, HeldSlice& slice) {
  archive(slice.number);
  archive(slice.values);
  archive(slice.observed);
  archive(slice.kept);
  archive(slice.w);
  archive(slice.sigma);
  archive(slice.size);
}

/// Throws InputError for an infinite entry.
HeldSlice hold(const TensorView& slice, Index number);

/// The slice as a tensor with one more mode, of length one, whose factor is w: the sum over the
/// components then needs no special case.
Factors with_coefficients(const Factors& factors, const Vector& w);

/// T - L, 0 where missing.
Entries residual_of(const HeldSlice& slice, const Factors& factors);

/// The entries of a slice that belong to S, and how well L explains the others.
struct SliceSplit {
  std::vector<Index> positions;
  std::vector<double> values;
  double residual = 0;  ///< norm of T - L - S over that of the data
};
SliceSplit split(const HeldSlice& slice, const Factors& factors);

/// Finds w by a robust regression that needs no start, then the inliers and their scale. Gross
/// errors of any size do not affect the result. `sigma` is the expected standard deviation of the
/// inliers, or 0 if it is unknown.
void regress(HeldSlice& slice, const Factors& factors, double sigma, double noise_width);

/// Fits w to the inliers by least squares.
void refit(HeldSlice& slice, const Factors& factors);

/// Determines the inliers and their scale again.
void judge(HeldSlice& slice, const Factors& factors, double noise_width);

/// The standard deviation that the inliers would have without a model.
double deviation_of_data(const HeldSlice& slice);

/// The largest residual of an entry that belongs to L.
double inlier_limit(const HeldSlice& slice, double noise_width);

}  // namespace sunder::streaming
