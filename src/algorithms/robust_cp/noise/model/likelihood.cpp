// The block is a matrix: its leading modes are the rows, its last ones the columns. A kernel reads
// chunks of whole rows (engine/kernels/mixture). Each row belongs to one chunk, the sums over
// columns are added in the order of the chunks, and counts are whole numbers, so that the result
// has the same bits for any number of threads.
#include "algorithms/robust_cp/noise/model/likelihood.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "algorithms/robust_cp/levels/noise.hpp"
#include "algorithms/robust_cp/levels/shared.hpp"
#include "algorithms/robust_cp/noise/model/count_likelihood.hpp"
#include "algorithms/robust_cp/noise/model/mode_group.hpp"
#include "engine/kernels/mixture/mixture_task.hpp"
#include "engine/pass/aligned_buffer.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::noise;
using kernels::MixtureDensity;
using kernels::MixtureTask;

constexpr Index sums_of_slice = MixtureTask::sums + 1;

/// The first of the modes that are columns. Short fibres would leave lanes empty.
int first_of_columns(const Shape& shape) {
  int first = shape.order() - 1;
  Index columns = shape[first];
  while (first > 1 && columns * shape[first - 1] <= limits::short_fibres) {
    columns *= shape[--first];
  }
  return first;
}

/// Tables and constants of the density, in units of its standard deviation.
class DensityTables {
 public:
  explicit DensityTables(const NoiseModel& noise) {
    const double height = (1 - noise.outlier_share) / std::sqrt(2 * std::numbers::pi);
    const double wide = noise.has_wide_inliers ? noise.wide_share : 0;
    const double floor = noise.least_variance / noise.variance;
    density_.inverse_deviation = 1 / noise.sigma();
    density_.inverse_signal = 1 / noise.signal_size;
    density_.narrow = static_cast<float>(height * (1 - noise.wide_share));
    density_.wide = static_cast<float>(height * wide / limits::wide_deviation);
    density_.wide_shrinks =
        static_cast<float>(1 / (limits::wide_deviation * limits::wide_deviation));
    density_.grows = noise.depends_on_signal;
    for (int k = 0; k < 2; ++k) density_.growth[k] = static_cast<float>(noise.growth[k]);
    density_.most_root = single(1 / std::sqrt(floor));
    density_.least_steps = single(ResidualCounts::per_octave * std::log2(floor));
    density_.per_unit = static_cast<float>(noise.sigma() / noise.unit);
    density_.shift = 23 - ResidualBins::per_octave_bits;
    density_.bins_of_side = ResidualBins::per_side;
    density_.steps_per_octave = ResidualCounts::per_octave;
    density_.variances = ResidualCounts::variances;
    density_.signal_bins_per_root = SignalSums::bins_per_root;
    static_assert(MixtureDensity::signal_bins == SignalSums::bins);
    for (int b = 0; b < ResidualBins::count; ++b) {
      const std::array<float, 2> pair{
          static_cast<float>(noise.outlier_share * noise.outlier_density[b] * noise.sigma()),
          static_cast<float>(noise.outlier_slope[b] * noise.sigma())};
      outliers_[b] = std::bit_cast<double>(pair);
    }
    density_.outliers = outliers_.data();
  }
  DensityTables(const DensityTables&) = delete;

  const MixtureDensity& density() const { return density_; }

 private:
  static float single(double x) {
    constexpr double most = std::numeric_limits<float>::max();
    return static_cast<float>(std::clamp(x, -most, most));
  }

  MixtureDensity density_;
  std::array<double, ResidualBins::count> outliers_{};
};

/// The sums over columns of one chunk, and what else chunks add up.
struct ChunkSums {
  AlignedBuffer<float> columns;  ///< gradient and slices, a row of padded columns each
  std::array<double, std::size_t{4} * SignalSums::bins> signal{};
  double log_density = 0;
};

class LikelihoodPass {
 public:
  LikelihoodPass(const DenseCore& block, const Factors& factors, const NoiseModel& noise,
                 EntryWeights* weights)
      : block_(block),
        factors_(factors),
        noise_(noise),
        weights_(weights),
        rank_(factors.front().cols()),
        rows_(block.shape, 0, first_of_columns(block.shape)),
        columns_(block.shape, first_of_columns(block.shape), block.shape.order()),
        tables_(noise) {
    padded_ =
        (columns_.size() + MixtureTask::padding - 1) / MixtureTask::padding * MixtureTask::padding;
    prepare_rows();
    prepare_columns();
    if (weights != nullptr) {
      weights->curvature.resize(block.shape.entries());
      weights->inlier.resize(block.shape.entries());
      weights->variance.resize(block.shape.entries());
    }
  }

  LikelihoodSums run() {
    read_chunks();
    LikelihoodSums sums(block_.shape, rank_);
    finish_sums(sums);
    if (weights_ != nullptr) {
      weights_->curvature /= noise_.variance;
      weights_->variance *= noise_.variance;
    }
    return sums;
  }

 private:
  void prepare_rows() {
    products_ = rows_.products(factors_);
    const Eigen::ArrayXd scales = rows_.scales(noise_.scales).array();
    row_roots_ = scales.rsqrt().cast<float>();
    row_steps_ = (ResidualCounts::per_octave * scales.log() / std::numbers::ln2).cast<float>();
    along_.resize(rows_.size(), rank_);
    row_sums_.resize(rows_.size(), sums_of_slice);
    draw_sample();
  }

  /// Which rows count in the sums by |L|: about as many as hold the entries that are enough.
  void draw_sample() {
    const double share = limits::signal_sample / static_cast<double>(block_.shape.entries());
    sampled_.assign(rows_.size(), 1);
    if (rows_.size() < limits::few_rows || share >= 1) return;
    for (Index i = 0; i < rows_.size(); ++i) {
      // The golden ratio spreads its multiples evenly, whatever the extents are.
      const double at = std::numbers::phi * static_cast<double>(i);
      sampled_[i] = at - std::floor(at) < share ? 1 : 0;
    }
  }

  void prepare_columns() {
    const RowMatrix factor = columns_.products(factors_);
    const Eigen::ArrayXd scales = columns_.scales(noise_.scales).array();
    factor_ = AlignedBuffer<double>(rank_ * padded_);
    factor_single_ = AlignedBuffer<float>(rank_ * padded_);
    column_roots_ = AlignedBuffer<float>(padded_);
    column_steps_ = AlignedBuffer<float>(padded_);
    for (Index j = 0; j < columns_.size(); ++j) {
      column_roots_.data()[j] = static_cast<float>(1 / std::sqrt(scales[j]));
      column_steps_.data()[j] =
          static_cast<float>(ResidualCounts::per_octave * std::log2(scales[j]));
      for (Index k = 0; k < rank_; ++k) {
        factor_.data()[k * padded_ + j] = factor(j, k);
        factor_single_.data()[k * padded_ + j] = static_cast<float>(factor(j, k));
      }
    }
  }

  void read_chunks() {
    const Index step = std::max<Index>(limits::entries_of_chunk / columns_.size() / 8 * 8, 8);
    const Index chunks = (rows_.size() + step - 1) / step;
    counts_.assign(ResidualCounts::variances * ResidualBins::count, 0);
    column_sums_ = RowMatrix::Zero(rank_ + sums_of_slice, padded_);
    // A few chunks at a time: their sums are added in order, for any number of threads.
    const Index at_once = std::min<Index>(chunks, 16);
    std::vector<ChunkSums> parts(at_once);
    for (Index first = 0; first < chunks; first += at_once) {
      const Index count = std::min(at_once, chunks - first);
#pragma omp parallel num_threads(block_.threads) if (block_.threads > 1)
      {
        std::vector<std::uint32_t> counts(counts_.size() + 1);
#pragma omp for schedule(dynamic)
        for (Index k = 0; k < count; ++k) {
          const Index begin = (first + k) * step;
          read_rows(begin, std::min(begin + step, rows_.size()), parts[k], counts);
        }
#pragma omp critical
        for (std::size_t c = 0; c < counts_.size(); ++c) counts_[c] += counts[c];
      }
      for (Index k = 0; k < count; ++k) add(parts[k]);
    }
  }

  void read_rows(Index begin, Index end, ChunkSums& part, std::vector<std::uint32_t>& counts) {
    part = {};
    part.columns = AlignedBuffer<float>((rank_ + sums_of_slice) * padded_);
    const Index at = begin * columns_.size();
    const bool has_ends = block_.has_ends();
    MixtureTask task{.density = &tables_.density(),
                     .values = block_.values.data() + at,
                     .observed = block_.complete() ? nullptr : block_.observed.data() + at,
                     .has_ends = has_ends,
                     .lowest = block_.lowest,
                     .highest = block_.highest,
                     .rows = end - begin,
                     .columns = columns_.size(),
                     .padded = padded_,
                     .rank = rank_,
                     .products = products_.data() + begin * rank_,
                     .factor = factor_.data(),
                     .factor_single = factor_single_.data(),
                     .row_roots = row_roots_.data() + begin,
                     .column_roots = column_roots_.data(),
                     .row_steps = row_steps_.data() + begin,
                     .column_steps = column_steps_.data(),
                     .is_sampled = sampled_.data() + begin,
                     .along = along_.data() + begin * rank_,
                     .gradient = part.columns.data(),
                     .row_sums = row_sums_.data() + begin * sums_of_slice,
                     .column_sums = part.columns.data() + rank_ * padded_,
                     .signal_sums = part.signal.data(),
                     .counts = counts.data(),
                     .log_density = &part.log_density};
    if (weights_ != nullptr) {
      task.curvature = weights_->curvature.data() + at;
      task.inlier = weights_->inlier.data() + at;
      task.variance = weights_->variance.data() + at;
    }
    kernels::mixture_pass(task);
  }

  void add(const ChunkSums& part) {
    column_sums_ +=
        Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
            part.columns.data(), column_sums_.rows(), padded_)
            .cast<double>();
    for (std::size_t k = 0; k < signal_.size(); ++k) signal_[k] += part.signal[k];
    log_density_ += part.log_density;
  }

  /// Back to the units of the data.
  void finish_sums(LikelihoodSums& sums) {
    along_ /= noise_.sigma();
    column_sums_.topRows(rank_) /= noise_.sigma();
    row_sums_.leftCols(2) /= noise_.variance;
    column_sums_.middleRows(rank_, 2) /= noise_.variance;
    rows_.add_products(along_, factors_, sums.gradient);
    rows_.add_slices(row_sums_, sums.slices);
    const auto of_columns = column_sums_.leftCols(columns_.size()).transpose();
    columns_.add_products(of_columns.leftCols(rank_), factors_, sums.gradient);
    columns_.add_slices(of_columns.rightCols(sums_of_slice), sums.slices);
    const auto all = row_sums_.colwise().sum().eval();
    sums.observed = all[sums_of_slice - 1];
    sums.nats = sums.observed * std::log(noise_.sigma()) - log_density_;
    // The kernel multiplies mantissas, which forget what is not a number.
    if (!std::isfinite(all.sum())) sums.nats = std::numeric_limits<double>::quiet_NaN();
    for (int b = 0; b < SignalSums::bins; ++b) {
      const double* of_bin = &signal_[std::size_t{4} * b];
      sums.signal.inliers[b] = of_bin[0];
      sums.signal.squares[b] = of_bin[1];
      sums.signal.first[b] = of_bin[2];
      sums.signal.second[b] = of_bin[3];
    }
    sums.residuals.counts.assign(counts_.begin(), counts_.end());
  }

  const DenseCore& block_;
  const Factors& factors_;
  const NoiseModel& noise_;
  EntryWeights* weights_;
  Index rank_;
  ModeGroup rows_;
  ModeGroup columns_;
  DensityTables tables_;
  Index padded_ = 0;
  RowMatrix products_;  ///< of the rows
  Eigen::ArrayXf row_roots_, row_steps_;
  std::vector<unsigned char> sampled_;
  AlignedBuffer<double> factor_;  ///< of the columns, component by component
  AlignedBuffer<float> factor_single_, column_roots_, column_steps_;

  RowMatrix along_, row_sums_;
  RowMatrix column_sums_;  ///< gradient and slices: (rank + 5) x padded
  std::array<double, std::size_t{4} * SignalSums::bins> signal_{};
  double log_density_ = 0;
  std::vector<std::uint32_t> counts_;
};

}  // namespace

LikelihoodSums likelihood_sums(const DenseCore& block, const Factors& factors,
                               const NoiseModel& noise, Monitor& monitor, EntryWeights* weights) {
  monitor.beat();
  monitor.did(levels::flops_of_products *
              static_cast<double>(block.shape.entries() * factors.front().cols()));
  if (noise.count_unit > 0) return count_likelihood_sums(block, factors, noise, weights);
  return LikelihoodPass(block, factors, noise, weights).run();
}

}  // namespace sunder::robust
