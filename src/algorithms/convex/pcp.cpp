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

#include "algorithms/matrix/matrix_method.hpp"
#include "algorithms/matrix/unfolding.hpp"
#include "algorithms/run/double_entries.hpp"
#include "algorithms/run/validation.hpp"
#include "core/stopwatch.hpp"
#include "engine/engine.hpp"

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
        run_(run),
        shape_(matrix.shape()),
        lambda_(options.lambda /
                std::sqrt(static_cast<double>(std::max(matrix.shape()[0], matrix.shape()[1])))),
        unfolding_(matrix.shape(), short_mode(matrix.shape()), run.threads) {
    result_.low_rank = CpModel::zero(shape_);
    result_.sparse = SparseTensor(shape_);
    look_at_data(matrix);
    if (data_norm_ == 0) return;
    const DoubleEntries entries(matrix);
    solve(entries.entries());
  }

  MatrixParts parts() && {
    result_.seconds = clock_.seconds();
    return {std::move(result_), data_norm_};
  }

 private:
  void look_at_data(const TensorView& matrix) {
    Engine engine(matrix, run_.threads);
    const CpModel nothing = CpModel::zero(shape_);
    const PassStatistics data =
        engine.pass({.model = &nothing, .data_statistics = true}).statistics;
    data_norm_ = std::sqrt(data.data_square_sum);
    data_max_ = data.data_max;
    result_.missing_count = data.missing;
    result_.passes = engine.passes();
  }

  /// The inexact augmented Lagrangian method.
  void solve(std::span<const double> matrix) {
    m_ = matrix;
    l_ = DenseTensor(shape_);
    s_ = DenseTensor(shape_);
    p_ = DenseTensor(shape_);
    start();
    const double largest_mu = 1e7 * mu_;
    result_.outcome = Outcome::iteration_limit;
    for (int k = 0; k < options_.max_iterations; ++k) {
      if (report_progress() == Continue::cancel) {
        result_.outcome = Outcome::cancelled;
        return;
      }
      separate();  // S = S_{lambda/mu}(M - L + Y/mu)
      LowRankUnfolding next = shrunk(unfolding_, low_rank(), 1 / mu_);
      unfolding_.assemble(next, low_rank());  // L = D_{1/mu}(M - S + Y/mu)
      const double next_mu = std::min(options_.growth * mu_, largest_mu);
      const SweepSums seen = ascend(mu_ / next_mu);  // Y = Y + mu (M - L - S)
      result_.passes += 5;
      const double change = replace_factors(std::move(next));
      record(change, seen);
      mu_ = next_mu;
      if (result_.trace.back().kept_residual >= options_.tolerance) continue;
      result_.outcome = Outcome::converged;
      break;
    }
    emit();
  }

  /// mu_0 = 1.25 / ||M||_2 and Y_0 = M / max(||M||_2, ||M||_inf / lambda).
  void start() {
    sweep([&](std::size_t i) {
      l_at(i) = observed(i) ? m_[i] : 0;
      return SweepSums{};
    });
    const double spectral = spectral_norm(unfolding_, low_rank());
    mu_ = 1.25 / spectral;
    const double scale = 1 / (mu_ * std::max(spectral, data_max_ / lambda_));
    sweep([&](std::size_t i) {
      p_at(i) = scale * l_at(i);
      l_at(i) = 0;
      return SweepSums{};
    });
    factors_ = {Matrix(unfolding_.rows(), 0), Matrix(unfolding_.columns(), 0)};
    result_.passes += 3;
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
    TraceRecord line;
    line.pass = result_.passes;
    line.stage = fmt::format("rank {}", factors_.left.cols());
    line.threshold = lambda_ / mu_;
    line.kept_residual = std::sqrt(seen.residual_square) / data_norm_;
    line.sparse_fraction = static_cast<double>(seen.nonzeros) /
                           static_cast<double>(shape_.entries() - result_.missing_count);
    line.change = change;
    line.seconds = clock_.seconds();
    result_.trace.push_back(std::move(line));
  }

  /// M = L + S holds to the tolerance only, so that nothing smaller belongs to S.
  void emit() {
    std::vector<Index> positions;
    std::vector<double> values;
    double square = 0;
    for (std::size_t i = 0; i < m_.size(); ++i) {
      if (!observed(i) || std::abs(s_at(i)) <= options_.tolerance * data_max_) continue;
      ++result_.sparse_count;
      square += s_at(i) * s_at(i);
      if (!run_.collect_sparse) continue;
      positions.push_back(static_cast<Index>(i));
      values.push_back(s_at(i));
    }
    result_.sparse_norm = std::sqrt(square);
    result_.sparse = SparseTensor(shape_, std::move(positions), std::move(values));
    ++result_.passes;
    const bool rows_short = short_mode(shape_) == 0;
    result_.low_rank = CpModel(
        Vector::Ones(factors_.left.cols()),
        {rows_short ? factors_.left : factors_.right, rows_short ? factors_.right : factors_.left});
    result_.low_rank.normalise();
  }

  template <class Step>
  SweepSums sweep(Step&& step) {
    return sum_over_pieces<SweepSums>(shape_.entries(), run_.threads,
                                      [&](std::size_t begin, std::size_t end) {
                                        SweepSums sum;
                                        for (std::size_t i = begin; i < end; ++i) sum += step(i);
                                        return sum;
                                      });
  }

  Continue report_progress() const {
    Progress progress;
    progress.pass = result_.passes;
    progress.stage = "starting";
    if (!result_.trace.empty()) {
      progress.stage = result_.trace.back().stage;
      progress.residual = result_.trace.back().kept_residual;
      progress.fraction = std::clamp(
          std::log(std::max(progress.residual, 1e-300)) / std::log(options_.tolerance), 0.0, 1.0);
    }
    return report(run_.progress, progress);
  }

  bool observed(std::size_t i) const { return !std::isnan(m_[i]); }
  std::span<double> low_rank() { return l_.typed<double>(); }
  double& l_at(std::size_t i) { return static_cast<double*>(l_.data())[i]; }
  double& s_at(std::size_t i) { return static_cast<double*>(s_.data())[i]; }
  double& p_at(std::size_t i) { return static_cast<double*>(p_.data())[i]; }

  PcpOptions options_;
  RunOptions run_;
  Shape shape_;
  double lambda_;
  Unfolding unfolding_;
  Stopwatch clock_;
  std::span<const double> m_;
  DenseTensor l_;
  DenseTensor s_;
  DenseTensor p_;
  LowRankUnfolding factors_;  // of L
  double mu_ = 0;
  double data_norm_ = 0;
  double data_max_ = 0;
  Decomposition result_;
};

MatrixSolver solver_with(const PcpOptions& options) {
  require_option(options.lambda > 0, "lambda", "positive", options.lambda);
  require_option(options.growth > 1, "growth", "above 1", options.growth);
  require_option(options.tolerance > 0 && options.tolerance < 1, "tolerance", "above 0 and below 1",
                 options.tolerance);
  require_option(options.max_iterations >= 1, "max-iterations", "at least 1",
                 options.max_iterations);
  return [options](const TensorView& matrix, const RunOptions& run, std::uint64_t) {
    return Pcp(matrix, run, options).parts();
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
