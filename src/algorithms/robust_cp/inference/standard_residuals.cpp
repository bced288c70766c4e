#include "algorithms/robust_cp/inference/standard_residuals.hpp"

#include <algorithm>
#include <cmath>

#include "core/statistics.hpp"

namespace sunder::robust {

namespace limits = levels::inference;

namespace {

/// Entries whose z lies between two numbers.
struct Cell {
  double low = 0;
  double high = 0;
  double count = 0;
};

std::vector<Cell> cells_of(const ResidualCounts& residuals, const NoiseModel& noise) {
  const ResidualBins bins = noise.bins();
  std::vector<Cell> cells;
  for (int s = 0; s < ResidualCounts::variances; ++s) {
    const double octaves = (s - ResidualCounts::variances / 2) / ResidualCounts::per_octave;
    const double deviation = std::sqrt(
        std::max(noise.variance * std::exp2(octaves), std::max(noise.least_variance, tiny)));
    for (int b = 0; b < ResidualBins::count; ++b) {
      const double count = residuals.counts[s * ResidualBins::count + b];
      if (count == 0) continue;
      cells.push_back({bins.edge(b) / deviation, bins.edge(b + 1) / deviation, count});
    }
  }
  return cells;
}

/// Shares a cell between the bins that it overlaps, in proportion to their densities.
void share(const Cell& cell, const std::vector<double>& density, std::vector<double>& counts) {
  const int first = StandardResiduals::bin_of(cell.low);
  const int last = StandardResiduals::bin_of(cell.high);
  if (first == last) {
    counts[first] += cell.count;
    return;
  }
  const auto part = [&](int bin) {
    const double low = StandardResiduals::middle(bin) - limits::z_step / 2;
    const double overlap = std::min(cell.high, low + limits::z_step) - std::max(cell.low, low);
    return std::max(overlap, 0.0) * density[bin];
  };
  double all = 0;
  for (int bin = first; bin <= last; ++bin) all += part(bin);
  if (!(all > 0)) {
    counts[(first + last) / 2] += cell.count;
    return;
  }
  for (int bin = first; bin <= last; ++bin) counts[bin] += cell.count * part(bin) / all;
}

std::vector<double> smoothed(const std::vector<double>& counts) {
  std::vector<double> smooth(counts.size());
  const auto last = static_cast<int>(counts.size()) - 1;
  for (int b = 0; b <= last; ++b) {
    double sum = 0;
    for (int k = -2; k <= 2; ++k) sum += (3 - std::abs(k)) * counts[std::clamp(b + k, 0, last)];
    smooth[b] = sum / 9 + tiny;
  }
  return smooth;
}

}  // namespace

int StandardResiduals::bin_of(double z) {
  const double at = std::floor(z / limits::z_step) + per_side;
  return static_cast<int>(std::clamp(at, 0.0, bins - 1.0));
}

double StandardResiduals::middle(int bin) { return (bin - per_side + 0.5) * limits::z_step; }

StandardResiduals standard_residuals(const ResidualCounts& residuals, const NoiseModel& noise) {
  const std::vector<Cell> cells = cells_of(residuals, noise);
  StandardResiduals all;
  for (const Cell& cell : cells) all.total += cell.count;
  std::vector<double> density(StandardResiduals::bins);
  for (int b = 0; b < StandardResiduals::bins; ++b) {
    const double z = StandardResiduals::middle(b);
    density[b] = std::exp(-0.5 * z * z) + 1e-6;  // bins without neighbours share evenly
  }
  for (int round = 0; round < limits::spread_rounds; ++round) {
    std::fill(all.counts.begin(), all.counts.end(), 0.0);
    for (const Cell& cell : cells) share(cell, density, all.counts);
    density = smoothed(all.counts);
  }
  return all;
}

}  // namespace sunder::robust
