// Notation, as in Lin, Chen and Ma (2010), Algorithm 5, with L, S for their A, E:
//   M        the matrix, m x n; 0 where it is missing
//   L, S     low-rank and sparse estimate
//   Y        multiplier of M - L - S = 0; held as P = Y / mu
//   mu, rho  penalty, and its growth
//   lambda   weight of ||S||_1
//   D_tau    singular values made smaller by tau (singular value thresholding)
//   S_tau    entries made smaller by tau
#include "sunder/algorithms/pcp.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

#include "algorithms/matrix/matrix_method.hpp"
#include "algorithms/matrix/unfolding.hpp"
#include "algorithms/run/double_entries.hpp"
#include "algorithms/run/run.hpp"
#include "algorithms/run/validation.hpp"

namespace sunder {

namespace {

/// What a sweep adds up.
struct SweepSums {
  double residual_square = 0;  // of M - L - S
  Index nonzeros = 0;          // of S, where M is observed

  SweepSums& operator+=(const SweepSums& other) {
    residual_square += other.residual_square;
    nonzeros += other.nonzeros;
    return *this;
  }
};

/// The shorter side, whose Gram matrix is the smaller one.
int short_mode(const Shape& matrix) { return matrix[0] <= matrix[1] ? 0 : 1; }

class Pcp {
 public:
  Pcp(const TensorView& matrix, const RunOptions& run, const PcpOptions& options)
      : options_(options),
        shape_(matrix.shape()),
        lambda_(options.lambda /
                std::sqrt(static_cast<double>(std::max(matrix.shape()[0], matrix.shape()[1])))),
        unfolding_(matrix.shape(), short_mode(matrix.shape()), run.threads),
        run_(matrix, run, "pcp"),
        matrix_(matrix) {}

  MatrixParts solve() {
    Decomposition parts = run_.solve([this] { iterate(); }, [this] { emit(); });
    return {std::move(parts), data_norm_};
  }

 private:
  /// The inexact augmented Lagrangian method.
  void iterate() {
    start();
    if (!(data_norm_ > 0)) return;
    const double largest_mu = 1e7 * mu_;
    for (int k = 0; k < options_.max_iterations; ++k) {
      run_.ask();
      separate();  // S = S_{lambda/mu}(M - L + Y/mu)
      LowRankUnfolding next = shrunk(unfolding_, low_rank(), 1 / mu_);
      unfolding_.assemble(next, low_rank());  // L = D_{1/mu}(M - S + Y/mu)
      const double next_mu = std::min(options_.growth * mu_, largest_mu);
      const SweepSums seen = ascend(mu_ / next_mu);  // Y = Y + mu (M - L - S)
      run_.add_passes(5);
      const double change = replace_factors(std::move(next));
      record(change, seen);
      mu_ = next_mu;
      if (run_.trace().back().kept_residual < options_.tolerance) return;
    }
    run_.result().outcome = Outcome::iteration_limit;
  }

  /// mu_0 = 1.25 / ||M||_2 and Y_0 = M / max(||M||_2, ||M||_inf / lambda).
  void start() {
    data_norm_ = std::sqrt(run_.measure_data().data_square_sum);
    if (!(data_norm_ > 0)) return;
    entries_.emplace(matrix_);
    m_ = entries_->entries();
    l_ = DenseTensor(shape_);
    s_ = DenseTensor(shape_);
    p_ = DenseTensor(shape_);
    sweep([&](std::size_t i) {
      l_at(i) = observed(i) ? m_[i] : 0;
      return SweepSums{};
    });
    const double spectral = spectral_norm(unfolding_, low_rank());
    mu_ = 1.25 / spectral;
    const double scale = 1 / (mu_ * std::max(spectral, run_.data().data_max / lambda_));
    sweep([&](std::size_t i) {
      p_at(i) = scale * l_at(i);
      l_at(i) = 0;
      return SweepSums{};
    });
    factors_ = {Matrix(unfolding_.rows(), 0), Matrix(unfolding_.columns(), 0)};
    run_.add_passes(3);
  }

  /// The new S, and M - S + Y/mu in the place of L. Where M is missing S costs nothing and takes
  /// all of M - L + Y/mu, so that L is fitted to itself there.
  void separate() {
    sweep([&](std::size_t i) {
      const double m = observed(i) ? m_[i] : 0;
      const double rest = m - l_at(i) + p_at(i);
      s_at(i) = observed(i) ? soft_threshold(rest, lambda_ / mu_) : rest;
      l_at(i) = m - s_at(i) + p_at(i);
      return SweepSums{};
    });
  }

  SweepSums ascend(double rescale) {
    return sweep([&](std::size_t i) {
      const double m = observed(i) ? m_[i] : 0;
      const double residual = m - l_at(i) - s_at(i);
      p_at(i) = rescale * (p_at(i) + residual);
      return SweepSums{residual * residual, observed(i) && s_at(i) != 0 ? 1 : 0};
    });
  }

  /// ||L_new - L_old|| / ||L_new|| from the factors: enough digits for a trace.
  double replace_factors(LowRankUnfolding next) {
    const Matrix common = factors_.left.transpose() * next.left;
    const double inner = (factors_.right * common).cwiseProduct(next.right).sum();
    const double square = next.right.squaredNorm();
    const double distance = square + factors_.right.squaredNorm() - 2 * inner;
    factors_ = std::move(next);
    return square > 0 ? std::sqrt(std::max(distance, 0.0) / square) : 0;
  }

  void record(double change, const SweepSums& seen) {
    const Index observed = shape_.entries() - run_.data().missing;
    const double residual = std::sqrt(seen.residual_square) / data_norm_;
    run_.record(
        {.stage = fmt::format("rank {}", factors_.left.cols()),
         .threshold = lambda_ / mu_,
         .kept_residual = residual,
         .sparse_fraction = static_cast<double>(seen.nonzeros) / static_cast<double>(observed),
         .change = change});
    const double done = std::log(std::max(residual, 1e-300)) / std::log(options_.tolerance);
    run_.set_fraction(std::clamp(done, 0.0, 1.0));
  }

  /// M = L + S holds to the tolerance only, so that nothing smaller belongs to S. Before the first
  /// iteration, and for a matrix of zeros, both are empty.
  void emit() {
    if (run_.trace().empty()) return;
    Decomposition& result = run_.result();
    list_sparse(
        shape_, options_.tolerance * run_.data().data_max, run_.options(),
        [&](Index i) { return observed(at(i)) ? s_at(at(i)) : missing; }, result);
    run_.add_passes(1);
    const bool rows_short = short_mode(shape_) == 0;
    result.low_rank = CpModel(
        Vector::Ones(factors_.left.cols()),
        {rows_short ? factors_.left : factors_.right, rows_short ? factors_.right : factors_.left});
    result.low_rank.normalise();
  }

  template <class Step>
  SweepSums sweep(Step&& step) {
    return sum_over_pieces<SweepSums>(shape_.entries(), run_.options().threads,
                                      [&](std::size_t begin, std::size_t end) {
                                        SweepSums sum;
                                        for (std::size_t i = begin; i < end; ++i) sum += step(i);
                                        return sum;
                                      });
  }

  static constexpr double missing = std::numeric_limits<double>::quiet_NaN();

  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
  bool observed(std::size_t i) const { return !std::isnan(m_[i]); }
  std::span<double> low_rank() { return l_.typed<double>(); }
  double& l_at(std::size_t i) { return static_cast<double*>(l_.data())[i]; }
  double& s_at(std::size_t i) { return static_cast<double*>(s_.data())[i]; }
  double& p_at(std::size_t i) { return static_cast<double*>(p_.data())[i]; }

  PcpOptions options_;
  Shape shape_;
  double lambda_;
  Unfolding unfolding_;
  Run run_;
  TensorView matrix_;
  std::optional<DoubleEntries> entries_;
  std::span<const double> m_;
  DenseTensor l_;
  DenseTensor s_;
  DenseTensor p_;
  LowRankUnfolding factors_;  // of L
  double mu_ = 0;
  double data_norm_ = 0;
};

MatrixSolver solver_with(const PcpOptions& options) {
  require_option(options.lambda > 0, "lambda", "positive", options.lambda);
  require_option(options.growth > 1, "growth", "above 1", options.growth);
  require_relative_tolerance(options.tolerance);
  require_iterations(options.max_iterations);
  return [options](const TensorView& matrix, const RunOptions& run, std::uint64_t) {
    return Pcp(matrix, run, options).solve();
  };
}

}  // namespace

Decomposition pcp_flat(const TensorView& tensor, const RunOptions& run,
                       const PcpFlatOptions& options) {
  return decompose_flattening(tensor, run, options.flatten_mode, "pcp-flat",
                              solver_with(options.matrix));
}

Decomposition pcp_slice(const TensorView& tensor, const RunOptions& run,
                        const PcpSliceOptions& options) {
  return decompose_slices(tensor, run, options.slice_modes, "pcp-slice",
                          solver_with(options.matrix));
}

}  // namespace sunder
