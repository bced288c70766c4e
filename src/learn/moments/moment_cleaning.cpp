// Notation:
//   X        a moment (M2 or M3), L: the model of it, U U' or sum_k lambda_k u_k o u_k o u_k
//   z        |X - L| / spread(L), sigma: its standard deviation where X is not corrupted
//   C        X where z <= limit, L elsewhere
#include "learn/moments/moment_cleaning.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/statistics.hpp"

namespace sunder {

namespace {

constexpr Index sample_size = 200'000;
constexpr double rounding = 1e-13;     // smaller residuals, relative to the model, count as zero
constexpr double spread_floor = 0.05;  // share of the mean entry
constexpr double first_widening = 4;
constexpr double narrowing = 0.5;  // smallest factor on the limit in a round

/// Samples the residuals at a regular step; these are enough for quantiles.
std::vector<double> sampled_residuals(const Matrix& x, const Matrix& model,
                                      const EntrySpread& spread) {
  // An odd step that does not divide n reaches all rows.
  Index step = std::max<Index>(1, x.size() / sample_size);
  while (step > 1 && (step % 2 == 0 || x.rows() % step == 0)) ++step;
  std::vector<double> values;
  values.reserve(x.size() / step + 1);
  for (Index k = 0; k < x.size(); k += step) {
    values.push_back(std::abs(x.data()[k] - model.data()[k]) / spread(model.data()[k]));
  }
  return values;
}

/// Returns the root mean square of all but the largest twentieth. For rare triples of words most
/// counts are 0 and a few are 1, so their quartile says nothing about their spread. Corruption of a
/// few variables affects a far smaller share of the entries.
double bulk_rms(std::vector<double>& values) {
  const auto end = values.begin() + static_cast<std::ptrdiff_t>(values.size() - values.size() / 20);
  if (end == values.begin()) return 0;
  order_statistic(values, static_cast<std::size_t>(end - values.begin()) - 1);
  const double sum = std::inner_product(values.begin(), end, values.begin(), 0.0);
  return std::sqrt(sum / static_cast<double>(end - values.begin()));
}

double smallest_sigma(const Matrix& model, const EntrySpread& spread) {
  const double largest = model.cwiseAbs().maxCoeff();
  return rounding * largest / spread(largest);
}

NoiseLevel measured(const Matrix& x, const Matrix& model, const EntrySpread& spread,
                    const MomentOptions& options, const NoiseLevel& before) {
  NoiseLevel level;
  std::vector<double> residuals = sampled_residuals(x, model, spread);
  level.sigma = smallest_sigma(model, spread);
  if (options.noise == MomentNoise::counts)
    level.sigma = std::max(bulk_rms(residuals), level.sigma);
  level.sigma = std::max(inlier_sigma(std::move(residuals)), level.sigma);
  const double wanted = options.width * level.sigma;
  level.limit =
      before.limit > 0 ? std::max(wanted, narrowing * before.limit) : first_widening * wanted;
  return level;
}

Matrix cleaned(const Matrix& x, const Matrix& model, const EntrySpread& spread, double limit) {
  Matrix result(x.rows(), x.cols());
  for (Index k = 0; k < x.size(); ++k) {
    const double l = model.data()[k];
    result.data()[k] = std::abs(x.data()[k] - l) <= limit * spread(l) ? x.data()[k] : l;
  }
  return result;
}

double truncated(const Matrix& x, const Matrix& model, const EntrySpread& spread, double limit) {
  double sum = 0;
  const std::vector<double> values = sampled_residuals(x, model, spread);
  for (const double z : values) sum += std::pow(std::min(z / limit, 1.0), 2);
  return sum / static_cast<double>(values.size());
}

}  // namespace

EntrySpread::EntrySpread(MomentNoise noise, const Matrix& model)
    : counts_(noise == MomentNoise::counts), floor_(spread_floor * model.cwiseAbs().mean()) {}

double EntrySpread::operator()(double entry) const {
  return counts_ ? std::sqrt(std::max(entry, floor_)) : 1.0;
}

Matrix third_of(const MomentFactors& factors) {
  const Matrix& u = factors.directions;
  return u * factors.cubes.asDiagonal() * khatri_rao(u, u).transpose();
}

CleanedFit clean_moments(const ScaledMoments& moments, MomentFactors start,
                         const MomentOptions& options) {
  CleanedFit fit;
  fit.factors = std::move(start);
  Matrix second = fit.factors.directions * fit.factors.directions.transpose();
  const int rank = options.rank;
  while (fit.rounds < options.max_rounds && !fit.settled) {
    ++fit.rounds;
    const Matrix third = third_of(fit.factors);
    const EntrySpread spread2(options.noise, second);
    const EntrySpread spread3(options.noise, third);
    const NoiseLevel before = fit.third;
    fit.second = measured(moments.second, second, spread2, options, fit.second);
    fit.third = measured(moments.third, third, spread3, options, fit.third);
    Rng rng(options.seed, 2);  // the same starts in every round, so that chance changes nothing
    std::optional<MomentFactors> next =
        whitened_estimate(cleaned(moments.second, second, spread2, fit.second.limit),
                          cleaned(moments.third, third, spread3, fit.third.limit), rank, rng);
    if (!next) break;
    fit.factors = std::move(*next);
    const Matrix moved = fit.factors.directions * fit.factors.directions.transpose();
    const double change = (moved - second).norm() / moved.norm();
    second = moved;
    const double noise =
        fit.second.sigma * spread2(second.cwiseAbs().mean()) / second.cwiseAbs().mean();
    fit.settled = change < std::max(1e-13, 1e-4 * noise) &&
                  fit.third.limit <= 1.01 * std::max(options.width * fit.third.sigma, 0.0) &&
                  before.limit > 0;
    const Progress now{
        .stage = "cleaning the moments", .fraction = -1, .pass = fit.rounds, .residual = change};
    if (report(options.progress, now) == Continue::cancel) {
      fit.cancelled = true;
      break;
    }
  }
  return fit;
}

double truncated_loss(const ScaledMoments& moments, const MomentFactors& factors, double second,
                      double third, MomentNoise noise) {
  const Matrix l2 = factors.directions * factors.directions.transpose();
  const Matrix l3 = third_of(factors);
  return truncated(moments.second, l2, EntrySpread(noise, l2), second) +
         truncated(moments.third, l3, EntrySpread(noise, l3), third);
}

}  // namespace sunder
