// Notation, as in Goldfarb and Qin (2014), with T, L, S for their B, X, E:
//   T        the tensor; 0 where it is missing
//   N        its order
//   X_i      the estimate of L that is of low rank along mode i
//   S        sparse estimate
//   Lambda_i multiplier of X_i + S - T = 0; held as P_i = mu Lambda_i
//   mu       1/penalty
//   lambda   weight of ||S||_1
#include "sunder/algorithms/horpca.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>
#include <optional>

#include "algorithms/convex/tucker_models.hpp"
#include "algorithms/matrix/unfolding.hpp"
#include "algorithms/run/abilities.hpp"
#include "algorithms/run/double_entries.hpp"
#include "algorithms/run/run.hpp"
#include "algorithms/run/validation.hpp"

namespace sunder {

namespace {

/// What the two methods differ in.
struct Schedule {
  bool convex = true;    // singular values made smaller; otherwise the largest kept
  double lambda = 1;     // weight of ||S||_1
  double mu = 1;         // in units of the standard deviation of the entries
  double reduction = 1;  // factor on mu every ten iterations
  double smallest_mu = 0;
  double tolerance = 1e-6;
  int max_iterations = 1000;
};

/// What a sweep adds up.
struct SweepSums {
  double infeasibility = 0;  // sum_i ||X_i + S - T||^2
  double moved = 0;          // ||S_new - S_old||^2
  double sparse = 0;         // ||S_old||^2
  Index nonzeros = 0;        // of S_new, where T is observed

  SweepSums& operator+=(const SweepSums& other) {
    infeasibility += other.infeasibility;
    moved += other.moved;
    sparse += other.sparse;
    nonzeros += other.nonzeros;
    return *this;
  }
};

double ratio(double a, double b) { return b > 0 ? a / b : (a > 0 ? 1.0 : 0.0); }

class Horpca {
 public:
  Horpca(const TensorView& tensor, const RunOptions& run, const Schedule& schedule,
         std::string method)
      : schedule_(schedule),
        shape_(tensor.shape()),
        order_(static_cast<std::size_t>(tensor.order())),
        run_(tensor, run, std::move(method)),
        tensor_(tensor) {
    for (int mode = 0; mode < tensor.order(); ++mode) {
      unfoldings_.emplace_back(shape_, mode, run.threads);
    }
  }

  Decomposition solve() {
    return run_.solve([this] { iterate(); }, [this] { emit(); });
  }

 private:
  /// Alternating direction augmented Lagrangian method (ADAL).
  void iterate() {
    start();
    if (!(data_norm_ > 0)) return;
    const double unit = deviation();
    mu_ = schedule_.mu * unit;
    for (int k = 1; k <= schedule_.max_iterations; ++k) {
      run_.ask();
      for (std::size_t i = 0; i < order_; ++i) fit(i);
      double next_mu = mu_;
      if (k % 10 == 0) {
        next_mu = std::min(mu_, std::max(schedule_.reduction * mu_, schedule_.smallest_mu * unit));
      }
      record(separate(next_mu / mu_));
      mu_ = next_mu;
      const TraceRecord& last = run_.trace().back();
      if (last.kept_residual < schedule_.tolerance && last.change < schedule_.tolerance) return;
    }
    run_.result().outcome = Outcome::iteration_limit;
  }

  void start() {
    data_norm_ = std::sqrt(run_.measure_data().data_square_sum);
    require_observed(run_.data().missing, shape_);
    entries_.emplace(tensor_);
    t_ = entries_->entries();
    if (!(data_norm_ > 0)) return;
    s_ = DenseTensor(shape_);
    for (std::size_t i = 0; i < order_; ++i) {
      x_.emplace_back(shape_);
      p_.emplace_back(shape_);
    }
  }

  /// Standard deviation of the observed entries.
  double deviation() {
    const auto sum = sum_over_pieces<double>(shape_.entries(), run_.options().threads,
                                             [&](std::size_t begin, std::size_t end) {
                                               double partial = 0;
                                               for (std::size_t j = begin; j < end; ++j)
                                                 partial += t_at(j);
                                               return partial;
                                             });
    run_.add_passes(1);
    const double count = observed_entries();
    const double mean = sum / count;
    const double variance = data_norm_ * data_norm_ / count - mean * mean;
    // A constant tensor has none; its size serves as well.
    return std::sqrt(std::max(variance, 1e-6 * data_norm_ * data_norm_ / count));
  }

  /// X_i = D_mu(T - S + mu Lambda_i) along mode i, or its truncation.
  void fit(std::size_t i) {
    double* x = data_of(x_[i]);
    const double* p = data_of(p_[i]);
    const double* s = data_of(s_);
    sum_over_pieces<double>(shape_.entries(), run_.options().threads,
                            [&](std::size_t begin, std::size_t end) {
                              for (std::size_t j = begin; j < end; ++j)
                                x[j] = t_at(j) - s[j] + p[j];
                              return 0.0;
                            });
    const std::span<double> values = x_[i].typed<double>();
    const LowRankUnfolding found = schedule_.convex
                                       ? shrunk(unfoldings_[i], values, mu_)
                                       : truncated(unfoldings_[i], values, run_.rank());
    unfoldings_[i].assemble(found, values);
    bases_[i] = found.left;
    run_.add_passes(4);
  }

  /// S = S_{lambda mu / N}(mean_i (T + mu Lambda_i - X_i)), then
  /// Lambda_i = Lambda_i - (X_i + S - T) / mu. Where T is missing S costs nothing: the X_i are
  /// equal to -S and so to each other there.
  SweepSums separate(double rescale) {
    run_.add_passes(1);
    return sum_over_pieces<SweepSums>(shape_.entries(), run_.options().threads,
                                      [&](std::size_t begin, std::size_t end) {
                                        SweepSums sums;
                                        for (std::size_t j = begin; j < end; ++j)
                                          separate_entry(j, rescale, sums);
                                        return sums;
                                      });
  }

  void separate_entry(std::size_t j, double rescale, SweepSums& sums) {
    const double t = t_at(j);
    const auto n = static_cast<double>(order_);
    double mean = 0;
    for (std::size_t i = 0; i < order_; ++i) mean += t + data_of(p_[i])[j] - data_of(x_[i])[j];
    mean /= n;
    double& s = data_of(s_)[j];
    const double next = observed(j) ? soft_threshold(mean, schedule_.lambda * mu_ / n) : mean;
    sums.moved += (next - s) * (next - s);
    sums.sparse += s * s;
    sums.nonzeros += observed(j) && next != 0 ? 1 : 0;
    s = next;
    for (std::size_t i = 0; i < order_; ++i) {
      const double excess = data_of(x_[i])[j] + s - t;
      sums.infeasibility += excess * excess;
      double& p = data_of(p_[i])[j];
      p = rescale * (p - excess);
    }
  }

  double observed_entries() const {
    return static_cast<double>(shape_.entries() - run_.data().missing);
  }

  /// `change` is the paper's dual residual: that of S, since L follows from it.
  void record(const SweepSums& seen) {
    std::vector<Index> ranks;
    for (const Matrix& basis : bases_) {
      if (ranks.size() < order_) ranks.push_back(basis.cols());
    }
    const auto n = static_cast<double>(order_);
    const double residual = std::sqrt(seen.infeasibility / n) / data_norm_;
    const double change = ratio(std::sqrt(seen.moved), std::sqrt(seen.sparse));
    run_.record({.stage = fmt::format("ranks {}", fmt::join(ranks, ", ")),
                 .threshold = schedule_.lambda * mu_ / n,
                 .kept_residual = residual,
                 .sparse_fraction = static_cast<double>(seen.nonzeros) / observed_entries(),
                 .change = change});
    const double to_go = std::clamp(std::max(residual, change), 1e-300, 1.0);
    run_.set_fraction(std::min(std::log(to_go) / std::log(schedule_.tolerance), 1.0));
  }

  /// T = L + S holds to the tolerance only, so that nothing smaller belongs to S. Before the first
  /// iteration, and for a tensor of zeros, both are empty.
  void emit() {
    if (run_.trace().empty()) return;
    const double* s = data_of(s_);
    list_sparse(
        shape_, schedule_.tolerance * run_.data().data_max, run_.options(),
        [&](Index j) { return observed(static_cast<std::size_t>(j)) ? s[j] : missing; },
        run_.result());
    run_.add_passes(1);
    emit_low_rank();
  }

  /// The mean of the X_i, within the span of their bases.
  void emit_low_rank() {
    double* mean = data_of(x_[0]);
    for (std::size_t j = 0; j < t_.size(); ++j) {
      for (std::size_t i = 1; i < order_; ++i) mean[j] += data_of(x_[i])[j];
      mean[j] /= static_cast<double>(order_);
    }
    std::vector<Matrix> bases(bases_.begin(), bases_.begin() + static_cast<Index>(order_));
    run_.result().low_rank = cp_model(projected(x_[0].typed<double>(), shape_, std::move(bases)));
    run_.add_passes(2);
  }

  static constexpr double missing = std::numeric_limits<double>::quiet_NaN();

  static double* data_of(DenseTensor& tensor) { return static_cast<double*>(tensor.data()); }
  bool observed(std::size_t j) const { return !std::isnan(t_[j]); }
  double t_at(std::size_t j) const { return observed(j) ? t_[j] : 0; }

  Schedule schedule_;
  Shape shape_;
  std::size_t order_;
  Run run_;
  TensorView tensor_;
  std::optional<DoubleEntries> entries_;
  std::vector<Unfolding> unfoldings_;
  std::span<const double> t_;
  DenseTensor s_;
  std::vector<DenseTensor> x_;
  std::vector<DenseTensor> p_;
  std::array<Matrix, max_order> bases_;  // of the X_i, each along its own mode
  double mu_ = 0;
  double data_norm_ = 0;
};

Decomposition solve(const TensorView& tensor, const RunOptions& run, const Schedule& schedule,
                    const std::string& method) {
  require_heeded(method, {}, run);
  require_option(schedule.lambda > 0, "lambda", "positive", schedule.lambda);
  require_option(schedule.mu > 0, "mu", "positive", schedule.mu);
  require_option(schedule.reduction > 0 && schedule.reduction <= 1, "reduction",
                 "above 0 and at most 1", schedule.reduction);
  require_option(schedule.smallest_mu >= 0, "smallest-mu", "at least 0", schedule.smallest_mu);
  require_relative_tolerance(schedule.tolerance);
  require_iterations(schedule.max_iterations);
  require_decomposable(tensor.shape());
  require_rank(run.rank, tensor.shape());
  return Horpca(tensor, run, schedule, method).solve();
}

}  // namespace

Decomposition horpca(const TensorView& tensor, const RunOptions& run,
                     const HorpcaOptions& options) {
  require_decomposable(tensor.shape());
  const Index longest = *std::max_element(tensor.shape().begin(), tensor.shape().end());
  return solve(tensor, run,
               {.lambda = options.lambda / std::sqrt(static_cast<double>(longest)),
                .mu = options.mu,
                .tolerance = options.tolerance,
                .max_iterations = options.max_iterations},
               "horpca");
}

Decomposition horpca_c(const TensorView& tensor, const RunOptions& run,
                       const HorpcaCOptions& options) {
  return solve(tensor, run,
               {.convex = false,
                .mu = options.mu,
                .reduction = options.reduction,
                .smallest_mu = options.smallest_mu,
                .tolerance = options.tolerance,
                .max_iterations = options.max_iterations},
               "horpca-c");
}

}  // namespace sunder
