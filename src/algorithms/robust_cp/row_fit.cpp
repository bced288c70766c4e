#include "algorithms/robust_cp/row_fit.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace sunder::robust {

namespace {

constexpr double tiny = 1e-300;
constexpr double quartile_of_normal = 0.3186;

using RowArray = Eigen::Array<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Columns on which the model is identically zero carry no information.
RowProblem without_dead_columns(const RowProblem& problem) {
  const Vector size = problem.design.rowwise().squaredNorm();
  const double least = 1e-12 * size.maxCoeff();
  std::vector<Index> alive;
  for (Index j = 0; j < size.size(); ++j) {
    if (size[j] > least) alive.push_back(j);
  }
  if (static_cast<Index>(alive.size()) == size.size()) return problem;
  RowProblem smaller;
  smaller.values = problem.values(Eigen::all, alive);
  if (!problem.complete()) smaller.observed = problem.observed(Eigen::all, alive);
  smaller.design = problem.design(alive, Eigen::all);
  return smaller;
}

class RowFit {
 public:
  RowFit(const RowProblem& problem, double quantile_share, const Heartbeat& heartbeat)
      : Y_(problem.values),
        K_(problem.design),
        M_(problem.observed),
        share_(quantile_share),
        heartbeat_(heartbeat) {
    const Matrix gram = K_.transpose() * K_;
    const double shift = 1e-12 * gram.trace() / static_cast<double>(gram.rows()) + tiny;
    inverse_ = (gram + shift * Matrix::Identity(gram.rows(), gram.cols())).inverse();
    gram_ = gram;
    observed_ = Eigen::ArrayXd::Ones(Y_.rows());
    if (masked()) observed_ = M_.rowwise().mean().array().max(1e-9);
  }

  /// Shrinking Geman-McClure weights, then least squares on the inliers.
  Matrix solve(const Matrix* warm) {
    A_ = warm != nullptr ? *warm
                         : Matrix(observed_.inverse().matrix().asDiagonal() * (Y_ * K_ * inverse_));
    update_residual();
    shrink();
    for (int round = 0; round < 2; ++round) least_squares_on_inliers();
    return A_;
  }

 private:
  bool masked() const { return M_.size() > 0; }

  void update_residual() {
    R_ = Y_;
    R_.noalias() -= A_ * K_.transpose();
    if (masked()) R_.array() *= M_.array();
  }

  Eigen::ArrayXd row_quantiles() const {
    Eigen::ArrayXd q(R_.rows());
    std::vector<double> magnitudes;
    for (Index i = 0; i < R_.rows(); ++i) {
      magnitudes.clear();
      for (Index j = 0; j < R_.cols(); ++j) {
        if (!masked() || M_(i, j) > 0) magnitudes.push_back(std::abs(R_(i, j)));
      }
      q[i] = quantile(magnitudes, share_) + tiny;
    }
    return q;
  }

  /// Majorisation with one shared normal matrix: 4 n m r flops a step.
  void shrink() {
    Eigen::ArrayXd c;
    for (int step = 0; step < 30; ++step) {
      heartbeat_();
      const Eigen::ArrayXd q = row_quantiles();
      if (step == 0) {
        const Eigen::ArrayXd rms = (R_.array().square().rowwise().mean() / observed_).sqrt();
        c = (3 * rms).max(4 * q) + tiny;
      } else {
        c = c.min((4 * q).max((0.7 * c).min((4 * c * q).sqrt())));
      }
      RowArray W = (1 + (R_.array().colwise() / c).square()).square().inverse();
      if (masked()) W *= M_.array();
      const Eigen::ArrayXd omega = (W.rowwise().mean() / observed_).max(0.3) * observed_;
      W *= R_.array();
      const Matrix delta = omega.inverse().matrix().asDiagonal() * (W.matrix() * K_ * inverse_);
      A_ += delta;
      update_residual();
      const Eigen::ArrayXd moved = (delta * gram_).cwiseProduct(delta).rowwise().sum();
      const Eigen::ArrayXd size = (A_ * gram_).cwiseProduct(A_).rowwise().sum();
      if ((moved < 1e-20 * (size + tiny)).all()) break;
    }
  }

  /// Conjugate gradients on K' W_i K a = K' W_i r for all rows at once, W_i the row's inliers.
  void least_squares_on_inliers() {
    const Eigen::ArrayXd threshold = (5 / quartile_of_normal * row_quantiles()).max(tiny);
    RowArray W = ((R_.array().abs().colwise() / threshold) <= 1.0).cast<double>();
    if (masked()) W *= M_.array();
    const Eigen::ArrayXd omega = W.rowwise().mean().max(1e-9);
    const auto precondition = [&](const Matrix& b) -> Matrix {
      return omega.inverse().matrix().asDiagonal() * (b * inverse_);
    };
    const auto row_dot = [](const Matrix& a, const Matrix& b) -> Eigen::ArrayXd {
      return a.cwiseProduct(b).rowwise().sum();
    };
    const auto ratio = [](const Eigen::ArrayXd& a, const Eigen::ArrayXd& b) -> Eigen::ArrayXd {
      return (b > 0).select(a / b.max(tiny), 0.0);
    };
    Matrix b = (W * R_.array()).matrix() * K_;
    Matrix z = precondition(b);
    Matrix p = z;
    Eigen::ArrayXd rz = row_dot(b, z);
    const Eigen::ArrayXd first = rz + tiny;
    for (int step = 0; step < 12; ++step) {
      RowMatrix image = p * K_.transpose();
      image.array() *= W;
      const Matrix Ap = image * K_;
      const Eigen::ArrayXd length = ratio(rz, row_dot(p, Ap));
      A_ += length.matrix().asDiagonal() * p;
      b -= length.matrix().asDiagonal() * Ap;
      z = precondition(b);
      const Eigen::ArrayXd next = row_dot(b, z);
      if ((next < 1e-20 * first).all()) break;
      p = z + ratio(next, rz).matrix().asDiagonal() * p;
      rz = next;
    }
    update_residual();
  }

  const RowMatrix& Y_;
  const Matrix& K_;
  const RowMatrix& M_;
  double share_;
  const Heartbeat& heartbeat_;
  Matrix gram_;
  Matrix inverse_;
  Eigen::ArrayXd observed_;  ///< share of each row that is observed
  Matrix A_;
  RowMatrix R_;
};

/// Share of each row's entries within 4 sigma of the model.
Eigen::ArrayXd fitted_share(const RowProblem& problem, const Matrix& A, double sigma) {
  RowMatrix R = problem.values;
  R.noalias() -= A * problem.design.transpose();
  RowArray fitted = (R.array().abs() <= 4 * sigma).cast<double>();
  if (problem.complete()) return fitted.rowwise().mean();
  fitted *= problem.observed.array();
  return fitted.rowwise().sum() / problem.observed.array().rowwise().sum().max(1.0);
}

RowProblem some_rows(const RowProblem& problem, const std::vector<Index>& rows) {
  RowProblem part;
  part.values = problem.values(rows, Eigen::all);
  if (!problem.complete()) part.observed = problem.observed(rows, Eigen::all);
  part.design = problem.design;
  return part;
}

}  // namespace

Matrix fit_rows(const RowProblem& whole, const Matrix& warm, double sigma,
                const Heartbeat& heartbeat) {
  const RowProblem problem = without_dead_columns(whole);
  if (problem.design.rows() == 0) return Matrix::Zero(whole.values.rows(), whole.design.cols());
  Matrix A = RowFit(problem, 0.25, heartbeat).solve(nullptr);
  Eigen::ArrayXd share = fitted_share(problem, A, sigma);
  std::vector<double> sorted(share.data(), share.data() + share.size());
  const double least = std::max(0.5 * quantile(sorted, 0.5), 0.1);
  std::vector<Index> bad;
  for (Index i = 0; i < share.size(); ++i) {
    if (share[i] < least) bad.push_back(i);
  }
  if (bad.empty()) return A;
  const RowProblem again = some_rows(problem, bad);
  const Matrix warm_rows = warm(bad, Eigen::all);
  for (const Matrix* start : {static_cast<const Matrix*>(nullptr), &warm_rows}) {
    const Matrix attempt = RowFit(again, 0.12, heartbeat).solve(start);
    const Eigen::ArrayXd better = fitted_share(again, attempt, sigma);
    for (std::size_t k = 0; k < bad.size(); ++k) {
      const auto row = static_cast<Index>(k);
      if (better[row] <= share[bad[k]]) continue;
      A.row(bad[k]) = attempt.row(row);
      share[bad[k]] = better[row];
    }
  }
  return A;
}

RowProblem row_problem(const DenseCore& core, const Factors& factors, int mode) {
  RowProblem problem;
  problem.values = unfold(core.shape, core.values, mode);
  if (!core.complete()) problem.observed = unfold(core.shape, core.observed, mode);
  problem.design = khatri_rao_of_others(factors, mode);
  return problem;
}

}  // namespace sunder::robust
