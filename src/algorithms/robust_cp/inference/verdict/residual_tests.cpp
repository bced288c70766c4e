#include "algorithms/robust_cp/inference/verdict/residual_tests.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "algorithms/robust_cp/levels/inference.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace limits = levels::inference;

namespace {

/// Of a standard variable with the distribution of the noise. Infinite for very heavy tails.
double deviation_of(const NullDistribution& null) {
  if (!std::isfinite(null.degrees)) return null.scale;
  const double excess = std::max(null.degrees - 2, limits::least_excess_degrees);
  return null.scale * std::sqrt(null.degrees / excess);
}

/// The shares of |z| in [0, 1/2), [1/2, 1), [1, 3/2) scales, among those below 3/2.
double distance_from_null(const DenseCore& part, const Entries& z, const NullDistribution& null) {
  constexpr int bins = 3;
  constexpr double width = 0.5;
  constexpr int steps = 50;
  std::array<double, bins> seen{};
  std::array<double, bins> expected{};
  for (Index i = 0; i < z.size(); ++i) {
    const double at = std::abs(z[i]) / (width * null.scale);
    if (part.is_observed(i) && at < bins) seen[static_cast<int>(at)] += 1;
  }
  for (int b = 0; b < bins; ++b) {
    for (int k = 0; k < steps; ++k) {
      expected[b] += null.density(null.scale * width * (b + (k + 0.5) / steps));
    }
  }
  double all_seen = 0;
  double all_expected = 0;
  for (int b = 0; b < bins; ++b) {
    all_seen += seen[b];
    all_expected += expected[b];
  }
  double largest = 0;
  for (int b = 0; b < bins; ++b) {
    largest =
        std::max(largest, std::abs(seen[b] / std::max(all_seen, 1.0) - expected[b] / all_expected));
  }
  return largest;
}

}  // namespace

double spectral_norm(const Shape& shape, const Entries& entries) {
  std::vector<RowMatrix> unfolded;
  for (int m = 0; m < shape.order(); ++m) unfolded.push_back(unfold(shape, entries, m));
  Rng rng(limits::spectral_seed);
  double largest = 0;
  for (int start = 0; start < limits::spectral_starts; ++start) {
    Factors u;
    for (const Index extent : shape) {
      u.emplace_back(Matrix::NullaryExpr(extent, 1, [&] { return rng.normal(); }));
    }
    double value = 0;
    for (int step = 0; step < limits::spectral_steps; ++step) {
      for (int m = 0; m < shape.order(); ++m) {
        u[m] = unfolded[m] * khatri_rao_of_others(u, m);
        value = u[m].norm();
        u[m] /= value + tiny;
      }
    }
    largest = std::max(largest, value);
  }
  return largest;
}

void test_residuals(const DenseCore& part, const Entries& z, const Entries& inlier,
                    const ErrorRates& rates, NoiseEvidence& evidence) {
  const NullDistribution& null = rates.null();
  const Entries standard = z / deviation_of(null);
  const Entries kept = inlier * standard;
  double by_chance = 0;
  for (const Index extent : part.shape) by_chance += std::sqrt(static_cast<double>(extent));
  evidence.structure =
      spectral_norm(part.shape, kept) / (by_chance * std::sqrt(inlier.mean()) + tiny);
  evidence.shape = distance_from_null(part, z, null);
  evidence.slice_mean = 0;
  evidence.poorest_slice = std::numeric_limits<double>::infinity();
  const Entries observed =
      part.complete() ? Entries(Entries::Ones(part.values.size())) : part.observed;
  for (int m = 0; m < part.shape.order(); ++m) {
    const Eigen::ArrayXd sums = unfold(part.shape, kept, m).rowwise().sum();
    const Eigen::ArrayXd squares = unfold(part.shape, inlier.square(), m).rowwise().sum();
    evidence.slice_mean =
        std::max(evidence.slice_mean, (sums.abs() / (squares + 1).sqrt()).maxCoeff());
    const Eigen::ArrayXd counts = unfold(part.shape, observed, m).rowwise().sum();
    const Eigen::ArrayXd inliers = unfold(part.shape, inlier, m).rowwise().sum();
    std::vector<double> shares;
    for (Index i = 0; i < counts.size(); ++i) {
      if (counts[i] > 0) shares.push_back(inliers[i] / counts[i]);
    }
    if (shares.empty()) continue;
    const double least = *std::min_element(shares.begin(), shares.end());
    evidence.poorest_slice =
        std::min(evidence.poorest_slice, least / std::max(median(std::move(shares)), tiny));
  }
}

}  // namespace sunder::robust
