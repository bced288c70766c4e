#include "data/planted_noise.hpp"

#include <algorithm>
#include <cmath>

namespace sunder {

namespace {

constexpr double slice_range = 10;  ///< the ratio of the largest to the smallest slice deviation
constexpr double proportional_floor = 0.5;  ///< rms of L: smaller entries have no less noise
constexpr int freedom = 3;                  ///< of Student's t: the fewest with a finite variance
/// From this mean on, counts come from the normal quantile with a correction for skewness, whose
/// error is below one hundredth of a count there. Smaller ones are found by summing probabilities.
constexpr double largest_summed_mean = 200;

}  // namespace

PlantedNoise::PlantedNoise(const PlantedOptions& options, double rms)
    : kind_(options.noise_model),
      deviation_(options.noise * rms),
      share_(options.noise),
      floor_(proportional_floor * rms) {
  if (kind_ != NoiseKind::hetero) return;
  for (int mode = 0; mode < options.shape.order(); ++mode) {
    Rng random = stream(options.seed, Purpose::slice_noise, mode);
    std::vector<double>& scales = scales_.emplace_back(options.shape[mode]);
    for (double& x : scales) x = std::pow(slice_range, random.uniform(-0.5, 0.5));
  }
}

double PlantedNoise::slice_scale(const ModeIndices& index) const {
  double scale = 1;
  for (std::size_t mode = 0; mode < scales_.size(); ++mode) {
    scale *= scales_[mode][static_cast<std::size_t>(index[mode])];
  }
  return scale;
}

double PlantedNoise::at(const ModeIndices& index, Index key, double low_rank,
                        NoiseStreams& random) const {
  const auto position = static_cast<std::uint64_t>(key);
  random.noise.seek(position);
  switch (kind_) {
    case NoiseKind::gaussian:
      break;
    case NoiseKind::hetero:
      return deviation_ * slice_scale(index) * random.noise.normal();
    case NoiseKind::proportional:
      return share_ * std::hypot(low_rank, floor_) * random.noise.normal();
    case NoiseKind::poisson:
      return poisson_quantile(random.noise.uniform(), std::max(low_rank, 0.0)) - low_rank;
    case NoiseKind::t: {
      // A position holds two numbers, and the denominator needs three.
      random.tail.seek(2 * position);
      double squares = 0;
      for (int k = 0; k < freedom; ++k) squares += std::pow(random.tail.normal(), 2);
      // Student's t has the variance f / (f - 2); the noise has the deviation that was asked for.
      return deviation_ * std::sqrt((freedom - 2) / squares) * random.noise.normal();
    }
  }
  return deviation_ * random.noise.normal();
}

double poisson_quantile(double p, double mean) {
  if (mean <= 0) return 0;
  if (mean > largest_summed_mean) {
    const double z = normal_quantile(p);
    return std::max(0.0, std::round(mean + std::sqrt(mean) * z + (z * z - 1) / 6));
  }
  double probability = std::exp(-mean);
  double below = probability;
  double count = 0;
  // The second condition ends the sum where rounding keeps it below a p close to one.
  while (below < p && probability > 0) {
    probability *= mean / ++count;
    below += probability;
  }
  return count;
}

}  // namespace sunder
