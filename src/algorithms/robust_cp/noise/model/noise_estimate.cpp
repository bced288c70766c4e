#include "algorithms/robust_cp/noise/model/noise_estimate.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "algorithms/robust_cp/levels/noise.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::noise;

/// Residuals of nearly the same size and variance.
struct Cell {
  int bin = 0;
  double count = 0;
  double z2 = 0;      ///< R^2 / variance
  double height = 0;  ///< of the normal density of that variance
  double variance = 0;
};

/// The cells that are not empty, by their variance.
std::vector<Cell> cells_of(const ResidualCounts& residuals, const NoiseModel& noise) {
  const ResidualBins bins = noise.bins();
  std::vector<Cell> cells;
  for (int s = 0; s < ResidualCounts::variances; ++s) {
    const double octaves = (s - ResidualCounts::variances / 2) / ResidualCounts::per_octave;
    const double variance =
        std::max(noise.variance * std::exp2(octaves), noise.least_variance + tiny);
    const double height = 1 / std::sqrt(2 * std::numbers::pi * variance);
    for (int b = 0; b < ResidualBins::count; ++b) {
      const double count = residuals.counts[s * ResidualBins::count + b];
      if (count == 0) continue;
      const double low = bins.edge(b);
      const double high = bins.edge(b + 1);
      // The mean of R^2 over the bin, not the square of its middle.
      const double square = (low * low + low * high + high * high) / 3;
      cells.push_back({b, count, square / variance, height, variance});
    }
  }
  return cells;
}

double median_variance(const std::vector<Cell>& cells) {
  double all = 0;
  for (const Cell& cell : cells) all += cell.count;
  double below = 0;
  for (const Cell& cell : cells) {
    below += cell.count;
    if (2 * below >= all) return cell.variance;
  }
  return 1;
}

class Densities {
 public:
  Densities(const ResidualCounts& residuals, NoiseModel& noise)
      : noise_(noise),
        bins_(noise.bins()),
        cells_(cells_of(residuals, noise)),
        middle_variance_(median_variance(cells_)) {
    for (int b = 0; b < ResidualBins::count; ++b) {
      width_[b] = bins_.width(b);
      middle_[b] = bins_.middle(b);
    }
  }

  /// Takes so many steps of expectation maximisation, or until the shares and the variance settle.
  void run(int steps) {
    bool settled = false;
    for (int step = 0; step < steps && !settled; ++step) {
      const double share = noise_.outlier_share;
      const double wide = noise_.wide_share;
      const double factor = factor_;
      maximise();
      const auto is_near = [](double x, double y) {
        return std::abs(x - y) <= limits::settled_density * y;
      };
      settled = is_near(noise_.outlier_share, share) && is_near(noise_.wide_share, wide) &&
                is_near(factor_, factor);
    }
    if (noise_.learns_density) learn_slope();
  }

  /// The new variance over the old one.
  double factor() const { return factor_; }

  /// - log density for each entry.
  double nats() const {
    const Shares shares(noise_, factor_);
    double nats = 0;
    double all = 0;
    for (const Cell& cell : cells_) {
      nats -= cell.count * std::log(shares.of(cell, noise_).total);
      all += cell.count;
    }
    return nats / all;
  }

 private:
  double bulk() const {
    return std::sqrt(factor_ * middle_variance_) *
           (noise_.has_wide_inliers ? limits::wide_deviation : 1);
  }

  static constexpr double ninth = 1 / (limits::wide_deviation * limits::wide_deviation);

  /// The parts of the density at a cell.
  struct Parts {
    double narrow = 0;
    double wide = 0;
    double total = 0;
  };
  /// What they need, the same for all cells.
  struct Shares {
    Shares(const NoiseModel& noise, double factor) : inverse_factor(1 / factor) {
      const double q = noise.has_wide_inliers ? noise.wide_share : 0;
      const double height = (1 - noise.outlier_share) / std::sqrt(factor);
      narrow = height * (1 - q);
      wide = height * q / limits::wide_deviation;
    }
    Parts of(const Cell& cell, const NoiseModel& noise) const {
      const double z2 = cell.z2 * inverse_factor;
      Parts parts;
      parts.narrow = narrow * cell.height * std::exp(-0.5 * z2);
      if (wide > 0) parts.wide = wide * cell.height * std::exp(-0.5 * ninth * z2);
      parts.total =
          parts.narrow + parts.wide + noise.outlier_share * noise.outlier_density[cell.bin] + tiny;
      return parts;
    }
    double inverse_factor;
    double narrow = 0;
    double wide = 0;
  };

  /// One step of expectation maximisation.
  void maximise() {
    const Shares shares(noise_, factor_);
    double all = 0, inliers = 0, wide_inliers = 0, squares = 0;
    NoiseModel::Density outliers{};
    for (const Cell& cell : cells_) {
      const Parts parts = shares.of(cell, noise_);
      const double per_density = cell.count / parts.total;
      const double inside = per_density * (parts.narrow + parts.wide);
      all += cell.count;
      inliers += inside;
      wide_inliers += per_density * parts.wide;
      squares += per_density * (parts.narrow + ninth * parts.wide) * cell.z2;
      outliers[cell.bin] += cell.count - inside;
    }
    if (inliers > 0) {
      factor_ = std::max(squares / inliers, tiny);
      if (noise_.has_wide_inliers) noise_.wide_share = wide_inliers / inliers;
    }
    noise_.outlier_share =
        std::clamp(1 - inliers / all, limits::least_outlier_share, limits::most_outlier_share);
    if (noise_.learns_density) learn_density(outliers);
  }

  void learn_density(NoiseModel::Density outliers) {
    double count = 0;
    for (const double x : outliers) count += x;
    const int rounds =
        count > limits::many_outliers ? limits::smoothings : limits::smoothings_if_few;
    for (int k = 0; k < rounds; ++k) smooth(outliers);
    for (int b = 0; b < ResidualBins::count; ++b) {
      outliers[b] /= std::max(count, tiny) * width_[b];
    }
    empty_the_bulk(outliers);
    double mass = 0;
    for (int b = 0; b < ResidualBins::count; ++b) mass += outliers[b] * width_[b];
    const double even = limits::even_share / (2 * noise_.range);
    for (int b = 0; b < ResidualBins::count; ++b) {
      noise_.outlier_density[b] =
          (1 - limits::even_share) * outliers[b] / std::max(mass, tiny) + even;
    }
  }

  static void smooth(NoiseModel::Density& x) {
    const NoiseModel::Density before = x;
    const int last = ResidualBins::count - 1;
    for (int b = 0; b <= last; ++b) {
      x[b] = (before[std::max(b - 1, 0)] + 2 * before[b] + before[std::min(b + 1, last)]) / 4;
    }
  }

  void empty_the_bulk(NoiseModel::Density& density) const {
    const double b0 = bulk();
    const double low = density[bins_.of(-limits::bulk_ends * b0)];
    const double high = density[bins_.of(limits::bulk_ends * b0)];
    for (int b = 0; b < ResidualBins::count; ++b) {
      const double x = middle_[b];
      if (std::abs(x) >= limits::bulk_ends * b0) continue;
      const double fades = std::clamp(std::abs(x) / b0 - limits::bulk_begins, 0.0, 1.0);
      density[b] = std::min(density[b], (x < 0 ? low : high) * fades);
    }
  }

  void learn_slope() {
    const double b0 = std::sqrt(factor_ * middle_variance_);
    const double none = limits::bulk_begins * bulk();
    const double gentle = limits::gentle_slope / b0;
    NoiseModel::Density log_density;
    for (int b = 0; b < ResidualBins::count; ++b) {
      log_density[b] = std::log(noise_.outlier_density[b]);
    }
    noise_.outlier_slope.fill(0);
    for (int b = 1; b + 1 < ResidualBins::count; ++b) {
      if (std::abs(middle_[b]) < none) continue;
      const double slope =
          (log_density[b + 1] - log_density[b - 1]) / (middle_[b + 1] - middle_[b - 1]);
      const double steep = std::max(std::abs(slope) - gentle, 0.0);
      noise_.outlier_slope[b] = slope < 0 ? -steep : steep;
    }
  }

  NoiseModel& noise_;
  ResidualBins bins_;
  std::vector<Cell> cells_;
  double middle_variance_;
  double factor_ = 1;                       ///< of the variance, so far
  NoiseModel::Density width_{}, middle_{};  ///< of the bins
};

void estimate_scales(const LikelihoodSums& sums, double mean_square, Index rank,
                     NoiseModel& noise) {
  for (std::size_t m = 0; m < sums.slices.size(); ++m) {
    const SliceSums& slices = sums.slices[m];
    Eigen::ArrayXd change =
        (slices.squares.array() / mean_square + limits::slice_prior) /
        ((slices.inliers.array() - static_cast<double>(rank)).max(0) + limits::slice_prior);
    change = change.max(1 / limits::most_slice_change).min(limits::most_slice_change);
    Vector& scale = noise.scales[m];
    scale.array() *= change;
    scale /= std::exp(scale.array().log().mean());
  }
}

/// The mean square of residuals over their variance, by the size of |L|.
struct SignalCurve {
  Eigen::ArrayXd count, ratio, first, second;
};

SignalCurve curve_of(const SignalSums& sums, double mean_square, const NoiseModel& noise) {
  std::vector<int> filled;
  for (int b = 0; b < SignalSums::bins; ++b) {
    if (sums.inliers[b] > limits::fewest_in_bin) filled.push_back(b);
  }
  const auto size = std::ssize(filled);
  SignalCurve curve{Eigen::ArrayXd(size), Eigen::ArrayXd(size), Eigen::ArrayXd(size),
                    Eigen::ArrayXd(size)};
  for (Index k = 0; k < size; ++k) {
    const int b = filled[k];
    const double count = sums.inliers[b];
    curve.count[k] = count;
    curve.first[k] = sums.first[b] / count;
    curve.second[k] = sums.second[b] / count;
    const double present = 1 + noise.growth[0] * curve.first[k] + noise.growth[1] * curve.second[k];
    curve.ratio[k] = sums.squares[b] / count / mean_square * present;
  }
  return curve;
}

/// Which of the three terms of the variance (1, x, x^2) a family has, as bits.
unsigned terms_of(NoiseFamily family) {
  if (family == NoiseFamily::poisson) return 0b011U;
  if (family == NoiseFamily::proportional) return 0b101U;
  return 0b111U;
}

/// Non-negative least squares in three unknowns, by trying every set of those that are not zero.
Eigen::Vector3d nonnegative_solution(const Eigen::MatrixX3d& A, const Eigen::VectorXd& y,
                                     unsigned terms) {
  Eigen::Vector3d best = Eigen::Vector3d::Zero();
  double least = y.squaredNorm();
  for (unsigned set = 1; set < 8; ++set) {
    if ((set & ~terms) != 0) continue;
    std::vector<Index> columns;
    for (Index c = 0; c < 3; ++c) {
      if ((set >> c & 1U) != 0) columns.push_back(c);
    }
    const Matrix part = A(Eigen::all, columns);
    const Vector x = (part.transpose() * part).fullPivLu().solve(part.transpose() * y);
    if (!(x.minCoeff() >= 0)) continue;
    const double left = (y - part * x).squaredNorm();
    if (left < least) {
      least = left;
      best.setZero();
      best(columns) = x;
    }
  }
  return best;
}

void estimate_growth(const SignalCurve& curve, NoiseModel& noise) {
  if (curve.count.size() <= 3) return;
  Eigen::MatrixX3d A(curve.count.size(), 3);
  A << Eigen::VectorXd::Ones(curve.count.size()), curve.first.matrix(), curve.second.matrix();
  const double least = 1e-8 * curve.ratio.maxCoeff();
  Eigen::ArrayXd fitted = curve.ratio.max(least);
  Eigen::Vector3d g = Eigen::Vector3d::Zero();
  for (int round = 0; round < limits::growth_rounds; ++round) {
    const Eigen::ArrayXd weight = curve.count.min(limits::trusted_in_bin).sqrt() / fitted;
    g = nonnegative_solution(weight.matrix().asDiagonal() * A, (weight * curve.ratio).matrix(),
                             terms_of(noise.family));
    fitted = (A * g).array().max(least);
  }
  g[0] = std::max(g[0], 1e-3 * curve.ratio.minCoeff());
  if (!(g[0] > 0)) return;
  noise.growth = {g[1] / g[0], g[2] / g[0]};
  noise.variance *= g[0];
}

double promise_of_growth(const SignalCurve& curve) {
  if (curve.count.size() == 0) return 0;
  const double mean = (curve.ratio * curve.count).sum() / curve.count.sum();
  return -0.5 * (curve.count * (curve.ratio / mean).max(1e-6).log()).sum() / curve.count.sum();
}

}  // namespace

double estimate_densities(const ResidualCounts& residuals, NoiseModel& noise, int steps) {
  Densities densities(residuals, noise);
  densities.run(steps);
  noise.variance = std::max(densities.factor() * noise.variance, noise.least_variance);
  return densities.nats();
}

double estimate_noise(const LikelihoodSums& sums, Index rank, NoiseModel& noise) {
  const double inliers = sums.slices.front().inliers.sum();
  if (noise.count_unit > 0) {  // the distribution of counts has no further unknowns
    noise.outlier_share = std::clamp(1 - inliers / sums.observed, limits::least_outlier_share,
                                     limits::most_outlier_share);
    return 0;
  }
  const double mean_square = sums.slices.front().squares.sum() / std::max(inliers, tiny) + tiny;
  const SignalCurve curve = curve_of(sums.signal, mean_square, noise);
  // The counts belong to the variance of the pass, so the densities come first.
  Densities densities(sums.residuals, noise);
  densities.run(limits::density_steps);
  noise.variance = std::max(densities.factor() * noise.variance, noise.least_variance);
  estimate_scales(sums, mean_square, rank, noise);
  if (noise.depends_on_signal) estimate_growth(curve, noise);
  noise.fit_bins();
  return noise.depends_on_signal ? 0 : promise_of_growth(curve);
}

}  // namespace sunder::robust
