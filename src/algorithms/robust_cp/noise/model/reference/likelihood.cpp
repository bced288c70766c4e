// Notation, for a chunk of whole fibres of the last mode:
//   L = rows F'    R = T - L    v  variance    w = P(inlier)    u = w, wide inliers counted a ninth
//   psi = u R / v - (1 - w) f'/f    the derivative of log density with respect to L
#include "algorithms/robust_cp/noise/model/reference/likelihood.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "algorithms/robust_cp/levels/noise.hpp"
#include "algorithms/robust_cp/levels/shared.hpp"
#include "core/statistics.hpp"
#include "engine/kernels/mixture/cut_off.hpp"

namespace sunder::robust::reference {

namespace limits = levels::noise;

namespace {

using Grid = Eigen::Array<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// What the density needs of the noise model, the same for every entry.
struct Constants {
  explicit Constants(const NoiseModel& noise)
      : narrow((1 - noise.outlier_share) * (1 - noise.wide_share) /
               std::sqrt(2 * std::numbers::pi)),
        wide((1 - noise.outlier_share) * noise.wide_share /
             (limits::wide_deviation * std::sqrt(2 * std::numbers::pi))) {}
  double narrow;
  double wide;
};

class Chunk {
 public:
  Chunk(const DenseCore& block, const Factors& factors, const NoiseModel& noise, Index begin,
        Index end)
      : block_(block),
        factors_(factors),
        noise_(noise),
        begin_(begin),
        rows_(end - begin),
        columns_(block.shape[block.shape.order() - 1]),
        sums_(block.shape, factors.front().cols()) {
    for (Index row = begin; row < end; ++row) indices_.push_back(indices_of(row));
  }

  LikelihoodSums run(EntryWeights* weights) {
    evaluate_model();
    evaluate_variance();
    evaluate_density();
    add_slices();
    add_signal();
    add_residuals();
    add_gradient();
    if (weights != nullptr) {
      put(sure_ / v_, weights->curvature);
      put(w_, weights->inlier);
      put(v_, weights->variance);
    }
    return std::move(sums_);
  }

 private:
  int leading() const { return block_.shape.order() - 1; }

  std::array<Index, max_order> indices_of(Index row) const {
    std::array<Index, max_order> index{};
    for (int m = leading() - 1; m >= 0; --m) {
      index[m] = row % block_.shape[m];
      row /= block_.shape[m];
    }
    return index;
  }

  Grid part_of(const Entries& entries) const {
    return Eigen::Map<const Grid>(entries.data() + begin_ * columns_, rows_, columns_);
  }

  void put(const Grid& grid, Entries& entries) const {
    entries.segment(begin_ * columns_, grid.size()) =
        Eigen::Map<const Entries>(grid.data(), grid.size());
  }

  void evaluate_model() {
    products_ = Matrix::Ones(rows_, factors_.front().cols());
    for (Index i = 0; i < rows_; ++i) {
      for (int m = 0; m < leading(); ++m) {
        products_.row(i).array() *= factors_[m].row(indices_[i][m]).array();
      }
    }
    L_ = (products_ * factors_.back().transpose()).array();
    R_ = part_of(block_.values) - L_;
    if (!block_.complete()) observed_ = part_of(block_.observed);
    if (is_censored()) forget_what_lies_beyond();
    if (is_partial()) R_ *= observed_;
  }

  bool is_censored() const { return block_.has_ends(); }
  bool is_partial() const { return observed_.size() > 0; }

  /// Where T is at an end of its range and L lies far beyond it, nothing speaks against L.
  void forget_what_lies_beyond() {
    const Grid T = part_of(block_.values);
    const double far = kernels::surely_cut_off * noise_.sigma();
    const auto agrees = (T <= block_.lowest && R_ > far) || (T >= block_.highest && R_ < -far);
    const Grid counts = agrees.select(Grid::Zero(rows_, columns_), Grid::Ones(rows_, columns_));
    observed_ = is_partial() ? Grid(observed_ * counts) : counts;
  }

  /// The residual of an entry at an end becomes the mean of the noise beyond that end.
  void cut_off() {
    const Grid T = part_of(block_.values);
    for (Index k = 0; k < R_.size(); ++k) {
      const bool is_low = T.data()[k] <= block_.lowest;
      if (!is_low && !(T.data()[k] >= block_.highest)) continue;
      if (is_partial() && !(observed_.data()[k] > 0)) continue;
      const double deviation = (is_low ? -1 : 1) * std::sqrt(v_.data()[k]);
      R_.data()[k] = deviation * kernels::mean_beyond(R_.data()[k] / deviation);
    }
  }

  void evaluate_variance() {
    Eigen::ArrayXd of_row(rows_);
    for (Index i = 0; i < rows_; ++i) {
      double a = noise_.variance;
      for (int m = 0; m < leading(); ++m) a *= noise_.scales[m][indices_[i][m]];
      of_row[i] = a;
    }
    v_ = (of_row.matrix() * noise_.scales.back().transpose()).array();
    if (noise_.depends_on_signal) {
      const Grid x = L_.abs() / noise_.signal_size;
      v_ *= 1 + x * (noise_.growth[0] + x * noise_.growth[1]);
    }
    v_ = v_.max(noise_.least_variance);
    if (is_censored()) cut_off();
  }

  void evaluate_density() {
    const ResidualBins bins = noise_.bins();
    const Constants constant(noise_);
    bin_.resize(rows_, columns_);
    Grid outlier(rows_, columns_);
    slope_.resize(rows_, columns_);
    for (Index k = 0; k < R_.size(); ++k) {
      const int b = bins.of(R_.data()[k]);
      bin_.data()[k] = b;
      outlier.data()[k] = noise_.outlier_share * noise_.outlier_density[b];
      slope_.data()[k] = noise_.outlier_slope[b];
    }
    z2_ = R_.square() / v_;
    const Grid root = v_.rsqrt();
    const Grid narrow = constant.narrow * root * (-0.5 * z2_).exp();
    if (noise_.has_wide_inliers) {
      constexpr double ninth = 1 / (limits::wide_deviation * limits::wide_deviation);
      const Grid wide = constant.wide * root * (-0.5 * ninth * z2_).exp();
      const Grid total = narrow + wide + outlier + tiny;
      w_ = (narrow + wide) / total;
      sure_ = (narrow + ninth * wide) / total;
      finish_density(total);
    } else {
      const Grid total = narrow + outlier + tiny;
      w_ = narrow / total;
      sure_ = w_;
      finish_density(total);
    }
  }

  void finish_density(const Grid& total) {
    Grid nats = -total.log();
    psi_ = sure_ * R_ / v_ - (1 - w_) * slope_;
    if (is_partial()) {
      nats *= observed_;
      psi_ *= observed_;
      w_ *= observed_;
      sure_ *= observed_;
      sums_.observed = observed_.sum();
    } else {
      sums_.observed = static_cast<double>(R_.size());
    }
    sums_.nats = nats.sum();
  }

  void add_slices() {
    const Grid score = psi_.square();
    const Grid weight = sure_ / v_;
    const Grid squares = sure_ * z2_;
    const auto add = [&](const Grid& x, Vector SliceSums::*part) {
      const Eigen::ArrayXd of_row = x.rowwise().sum();
      for (Index i = 0; i < rows_; ++i) {
        for (int m = 0; m < leading(); ++m) (sums_.slices[m].*part)[indices_[i][m]] += of_row[i];
      }
      (sums_.slices.back().*part) += x.colwise().sum().matrix().transpose();
    };
    add(score, &SliceSums::score);
    add(weight, &SliceSums::weight);
    add(w_, &SliceSums::inliers);
    add(squares, &SliceSums::squares);
    add(is_partial() ? observed_ : Grid(Grid::Ones(rows_, columns_)), &SliceSums::observed);
  }

  void add_signal() {
    SignalSums& sums = sums_.signal;
    for (Index k = 0; k < L_.size(); ++k) {
      const double x = std::abs(L_.data()[k]) / noise_.signal_size;
      // In this order, what is not a number falls into the last bin.
      const int b = static_cast<int>(
          std::min(SignalSums::bins - 1.0, SignalSums::bins_per_root * std::sqrt(x)));
      const double w = w_.data()[k];
      sums.inliers[b] += w;
      sums.squares[b] += sure_.data()[k] * z2_.data()[k];
      sums.first[b] += w * x;
      sums.second[b] += w * x * x;
    }
  }

  void add_residuals() {
    constexpr int middle = ResidualCounts::variances / 2;
    const Grid step =
        (v_ / noise_.variance).log() * (ResidualCounts::per_octave / std::numbers::ln2);
    for (Index k = 0; k < R_.size(); ++k) {
      if (is_partial() && observed_.data()[k] == 0) continue;
      const double bounded = std::max<double>(-middle, std::min(middle - 1.0, step.data()[k]));
      const int s = static_cast<int>(std::lround(bounded)) + middle;
      sums_.residuals.counts[s * ResidualBins::count + bin_.data()[k]] += 1;
    }
  }

  void add_gradient() {
    const Matrix along = psi_.matrix() * factors_.back();
    sums_.gradient.back().noalias() += psi_.matrix().transpose() * products_;
    for (Index i = 0; i < rows_; ++i) {
      for (int m = 0; m < leading(); ++m) {
        Eigen::RowVectorXd others = along.row(i);
        for (int q = 0; q < leading(); ++q) {
          if (q != m) others.array() *= factors_[q].row(indices_[i][q]).array();
        }
        sums_.gradient[m].row(indices_[i][m]) += others;
      }
    }
  }

  const DenseCore& block_;
  const Factors& factors_;
  const NoiseModel& noise_;
  Index begin_;
  Index rows_;
  Index columns_;
  LikelihoodSums sums_;
  std::vector<std::array<Index, max_order>> indices_;
  Matrix products_;  ///< of the leading modes' rows
  Grid L_, R_, v_, z2_, w_, sure_, psi_, slope_, observed_;
  Eigen::Array<int, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> bin_;
};

}  // namespace

LikelihoodSums likelihood_sums(const DenseCore& block, const Factors& factors,
                               const NoiseModel& noise, EntryWeights* weights) {
  const Index columns = block.shape[block.shape.order() - 1];
  if (weights != nullptr) {
    weights->curvature.resize(block.shape.entries());
    weights->inlier.resize(block.shape.entries());
    weights->variance.resize(block.shape.entries());
  }
  return Chunk(block, factors, noise, 0, block.shape.entries() / columns).run(weights);
}

}  // namespace sunder::robust::reference
