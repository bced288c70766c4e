#pragma once
/// One read of a dense block under a noise model: its likelihood, the gradient for all factors, and
/// the sums from which the noise is estimated anew without reading the block again.

#include <array>
#include <vector>

#include "algorithms/robust_cp/noise/model/noise_model.hpp"

namespace sunder::robust {

/// Sums over each slice of one mode.
struct SliceSums {
  Vector score;     ///< squares of the score, the information about L
  Vector weight;    ///< P(inlier) / variance
  Vector inliers;   ///< P(inlier)
  Vector squares;   ///< P(inlier) R^2 / v
  Vector observed;  ///< entries

  explicit SliceSums(Index extent = 0);
  void add(const SliceSums& other);
  void add(const SliceSums& some, const std::vector<Index>& rows);
};

/// Sums by the size of |L|.
struct SignalSums {
  static constexpr int bins = 24;
  static constexpr double bins_per_root = 6;  ///< of |L| / rms(L): the last begins at 14.7 rms
  std::array<double, bins> inliers{}, squares{}, first{}, second{};
  void add(const SignalSums& other);
};

/// How many residuals fall into each bin of size, for each step of the variance.
struct ResidualCounts {
  static constexpr int variances = 48;
  static constexpr double per_octave = 4;  ///< steps of the variance
  std::vector<double> counts = std::vector<double>(ResidualBins::count * variances);
  void add(const ResidualCounts& other);
};

struct LikelihoodSums {
  double nats = 0;      ///< - log density, summed over the observed entries
  double observed = 0;  ///< entries
  Factors gradient;     ///< of the log density, with respect to the factors
  std::vector<SliceSums> slices;
  SignalSums signal;
  ResidualCounts residuals;

  LikelihoodSums() = default;
  LikelihoodSums(const Shape& shape, Index rank);
  void add(const LikelihoodSums& other);
  /// Adds the sums of a block that lies at these rows.
  void add(const LikelihoodSums& block, const std::vector<std::vector<Index>>& rows);
  double nats_per_entry() const { return nats / observed; }
};

/// What is known of every entry, for those who need it.
struct EntryWeights {
  Entries curvature;  ///< P(inlier) / v, wide inliers counted a ninth
  Entries inlier;     ///< P(inlier)
  Entries variance;   ///< v
};

LikelihoodSums likelihood_sums(const DenseCore& block, const Factors& factors,
                               const NoiseModel& noise, Monitor& monitor,
                               EntryWeights* weights = nullptr);

}  // namespace sunder::robust
