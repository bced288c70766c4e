// Notation, as in Algorithm 1 of Cai et al. (2021):
//   D        the matrix, m x n
//   I, J     sampled rows and columns
//   L        low-rank estimate, C U^+ R, held as left right^T
//   C, R     (D - S)(:, J) and (D - S)(I, :)
//   U        their intersection, (D - S)(I, J); U^+ its pseudo-inverse of rank r
//   S        HT_zeta(D - L), on the sampled rows and columns only
//   zeta     threshold
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/matrix/matrix_method.hpp"
#include "algorithms/run/run.hpp"
#include "algorithms/run/validation.hpp"
#include "core/dense.hpp"
#include "sunder/algorithms/ircur.hpp"
#include "sunder/core/rng.hpp"

namespace sunder {

namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Draws `count` indices below `extent`, and more until `least` of them differ. The result is
/// sorted and has no repetition.
std::vector<Index> draw(Index extent, Index count, Index least, Rng& rng) {
  std::vector<Index> drawn;
  while (count > 0 || std::ssize(drawn) < std::min(least, extent)) {
    for (; count > 0; --count) {
      drawn.push_back(static_cast<Index>(rng.below(static_cast<std::uint64_t>(extent))));
    }
    std::sort(drawn.begin(), drawn.end());
    drawn.erase(std::unique(drawn.begin(), drawn.end()), drawn.end());
    count = least - std::ssize(drawn);
  }
  return drawn;
}

/// A part of D, and what the threshold keeps of it.
class SampledPart {
 public:
  SampledPart() = default;
  SampledPart(const DenseTensor& entries)
      : data_(Eigen::Map<const RowMajor>(entries.typed<double>().data(), entries.shape()[0],
                                         entries.shape()[1])) {
    for (double& x : data_.reshaped<Eigen::RowMajor>()) {
      if (std::isnan(x)) continue;
      square_sum_ += x * x;
      largest_ = std::max(largest_, std::abs(x));
      ++observed_;
    }
  }

  double norm() const { return std::sqrt(square_sum_); }
  double largest() const { return largest_; }
  Index entries() const { return data_.size(); }
  Index observed() const { return observed_; }

  /// D - S, where S is the part of D - L that reaches zeta: D where D is close to L, and L
  /// elsewhere and where D is missing.
  const RowMajor& clean(RowMajor low_rank, double zeta) {
    rejected_ = 0;
    double kept = 0;
    for (Index i = 0; i < data_.size(); ++i) {
      const double residual = data_.data()[i] - low_rank.data()[i];
      if (std::abs(residual) < zeta) {
        low_rank.data()[i] = data_.data()[i];
        kept += residual * residual;
      } else if (!std::isnan(residual) && residual != 0) {
        ++rejected_;
      }
    }
    cleaned_ = std::move(low_rank);
    residual_ = std::sqrt(kept);
    return cleaned_;
  }

  const RowMajor& cleaned() const { return cleaned_; }
  double residual() const { return residual_; }  ///< ||D - L - S||
  Index rejected() const { return rejected_; }

 private:
  RowMajor data_;
  RowMajor cleaned_;
  double square_sum_ = 0;
  double largest_ = 0;
  Index observed_ = 0;
  double residual_ = 0;
  Index rejected_ = 0;
};

/// The next larger number, which is a threshold that rejects nothing up to `largest`.
double above(double largest) {
  return std::nextafter(largest, std::numeric_limits<double>::infinity());
}

class Ircur {
 public:
  Ircur(const TensorView& matrix, const RunOptions& run, const IrcurOptions& options)
      : options_(options),
        rounding_(rounding_of(matrix.type(), Precision::f64)),
        run_(matrix, run, "ircur-flat"),
        rng_(run.seed),
        left_(Matrix::Zero(matrix.shape()[0], run.rank)),
        right_(Matrix::Zero(matrix.shape()[1], run.rank)) {}

  Decomposition solve() {
    return run_.solve([this] { iterate(); }, [this] { find_sparse(); });
  }

 private:
  /// Algorithm 1.
  void iterate() {
    for (int t = 0; t < options_.max_iterations; ++t) {
      run_.ask();
      if (t == 0 || !options_.fixed) sample();
      zeta_ =
          t == 0 ? above(data_max_) : std::max(options_.gamma * zeta_, 32 * rounding_ * data_max_);
      // S on the sample, and with it C and R.
      const RowMajor& r = rows_.clean(left_(row_indices_, Eigen::all) * right_.transpose(), zeta_);
      const RowMajor& c =
          columns_.clean(left_ * right_(column_indices_, Eigen::all).transpose(), zeta_);
      const double change = update(c, r);
      record(t, change);
      if (residual() < std::max(options_.tolerance, 16 * rounding_)) return;
    }
    run_.result().outcome = Outcome::iteration_limit;
  }

  void sample() {
    const Shape& shape = run_.shape();
    row_indices_ = draw(shape[0], sample_size(shape[0]), run_.rank(), rng_);
    column_indices_ = draw(shape[1], sample_size(shape[1]), run_.rank(), rng_);
    rows_ = SampledPart(run_.engine().gather({row_indices_, {}}));
    columns_ = SampledPart(run_.engine().gather({{}, column_indices_}));
    data_max_ = std::max({data_max_, rows_.largest(), columns_.largest()});
  }

  Index sample_size(Index extent) const {
    const double wanted =
        std::ceil(options_.sample_constant * run_.rank() * std::log(static_cast<double>(extent)));
    return static_cast<Index>(std::min(wanted, 1e9));
  }

  /// L = C U^+ R: with U = P diag(s) Q^T, left = C Q diag(1/s) and right = R^T P.
  double update(const RowMajor& c, const RowMajor& r) {
    const Matrix intersection = c(row_indices_, Eigen::all);
    const Svd svd = thin_svd(intersection);
    const Vector& values = svd.values;
    Index rank = 0;
    while (rank < std::min<Index>(run_.rank(), values.size()) && values[rank] > 1e-14 * values[0]) {
      ++rank;
    }
    left_ = c * svd.v.leftCols(rank) * values.head(rank).cwiseInverse().asDiagonal();
    right_ = r.transpose() * svd.u.leftCols(rank);
    CpModel next(Vector::Ones(rank), {left_, right_});
    next.normalise();
    next.sort_by_weight();
    return run_.replace_low_rank(std::move(next));
  }

  /// The residual of the last L with the present S, as the authors measure it. L itself is one step
  /// further.
  double residual() const {
    const double norm = rows_.norm() + columns_.norm();
    return norm > 0 ? (rows_.residual() + columns_.residual()) / norm : 0;
  }

  void record(int t, double change) {
    const auto rejected = static_cast<double>(rows_.rejected() + columns_.rejected());
    const Index observed = rows_.observed() + columns_.observed();
    run_.record({.stage = fmt::format("iteration {}", t + 1),
                 .threshold = zeta_,
                 .kept_residual = residual(),
                 .sparse_fraction = rejected / static_cast<double>(std::max<Index>(observed, 1)),
                 .change = change});
    run_.set_fraction(static_cast<double>(t + 1) / options_.max_iterations);
  }

  /// L is known to the tolerance only, so that nothing smaller belongs to S.
  void find_sparse() { run_.find_sparse(std::max(zeta_, 10 * options_.tolerance * data_max_)); }

  IrcurOptions options_;
  double rounding_;
  Run run_;
  Rng rng_;
  std::vector<Index> row_indices_;
  std::vector<Index> column_indices_;
  SampledPart rows_;
  SampledPart columns_;
  Matrix left_;
  Matrix right_;
  double data_max_ = 0;
  double zeta_ = std::numeric_limits<double>::infinity();
};

}  // namespace

Decomposition ircur_flat(const TensorView& tensor, const RunOptions& run,
                         const IrcurOptions& options) {
  require_option(options.sample_constant > 0, "sample-constant", "positive",
                 options.sample_constant);
  require_option(options.gamma > 0 && options.gamma < 1, "gamma", "between 0 and 1", options.gamma);
  require_relative_tolerance(options.tolerance);
  require_iterations(options.max_iterations);
  return decompose_flattening(
      tensor, run, options.flatten_mode, "ircur-flat",
      [&](const TensorView& matrix, const RunOptions& matrix_run, std::uint64_t) {
        return MatrixParts{Ircur(matrix, matrix_run, options).solve(), 0};
      });
}

}  // namespace sunder
