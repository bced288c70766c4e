// Notation:
//   C_k  covariances    U, w  loadings and variances    G_k = U diag(w_k)
//   W_k  weights with the diagonal doubled: then sums over all (i, j) are twice those over i <= j,
//        and a row of U, with the row that it meets on the diagonal held, sees the true gradient
#include "learn/bayesnet/bayesnet_fit.hpp"

#include <Eigen/Cholesky>

#include "algorithms/cp/nonnegative_least_squares.hpp"

namespace sunder {

namespace {

constexpr int most_sweeps = 1000;
constexpr double tolerance = 1e-12;  // relative change of U in a sweep

class Alternation {
 public:
  Alternation(const std::vector<Matrix>& covariances, std::vector<Matrix> weights, Loadings start)
      : C_(covariances), W_(std::move(weights)), current_(std::move(start)) {
    for (Matrix& weight : W_) weight.diagonal() *= 2;
    normalise();
  }

  Loadings run() {
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
      const Matrix before = current_.U;
      for (Index k = 0; k < current_.w.rows(); ++k) update_variances(k);
      update_loadings();
      normalise();
      if ((current_.U - before).norm() < tolerance * before.norm()) break;
    }
    return std::move(current_);
  }

 private:
  void update_variances(Index k) {
    const auto at = static_cast<std::size_t>(k);
    const Index r = current_.U.cols();
    Matrix normal(r, r);
    for (Index l = 0; l < r; ++l) {
      for (Index m = l; m < r; ++m) {
        const Vector product = current_.U.col(l).cwiseProduct(current_.U.col(m));
        normal(l, m) = normal(m, l) = product.dot(W_[at] * product);
      }
    }
    const Matrix weighted = W_[at].cwiseProduct(C_[at]) * current_.U;
    const Vector right_side = current_.U.cwiseProduct(weighted).colwise().sum().transpose();
    normal.diagonal().array() += 1e-13 * normal.trace() / static_cast<double>(r) + 1e-300;
    current_.w.row(k) = nonnegative_solution(normal, right_side).transpose();
  }

  void update_loadings() {
    const Index r = current_.U.cols();
    std::vector<Matrix> G;
    for (Index k = 0; k < current_.w.rows(); ++k) {
      G.emplace_back(current_.U * current_.w.row(k).transpose().asDiagonal());
    }
    for (Index i = 0; i < current_.U.rows(); ++i) {
      Matrix normal = Matrix::Zero(r, r);
      Vector right_side = Vector::Zero(r);
      for (std::size_t k = 0; k < C_.size(); ++k) {
        const Matrix weighted = W_[k].col(i).asDiagonal() * G[k];
        normal += G[k].transpose() * weighted;
        right_side += weighted.transpose() * C_[k].col(i);
      }
      normal.diagonal().array() += 1e-13 * normal.trace() / static_cast<double>(r) + 1e-300;
      current_.U.row(i) = normal.ldlt().solve(right_side).transpose();
      for (std::size_t k = 0; k < C_.size(); ++k) {
        G[k].row(i) = current_.U.row(i).cwiseProduct(current_.w.row(static_cast<Index>(k)));
      }
    }
  }

  void normalise() {
    for (Index l = 0; l < current_.U.cols(); ++l) {
      const double length = current_.U.col(l).norm();
      if (!(length > 0)) continue;
      current_.U.col(l) /= length;
      current_.w.col(l) *= length * length;
    }
  }

  const std::vector<Matrix>& C_;
  std::vector<Matrix> W_;
  Loadings current_;
};

}  // namespace

Loadings fit_loadings(const std::vector<Matrix>& covariances, const std::vector<Matrix>& weights,
                      Loadings start) {
  return Alternation(covariances, weights, std::move(start)).run();
}

Matrix explained_covariance(const Loadings& loadings, Index network) {
  return loadings.U * loadings.w.row(network).transpose().asDiagonal() * loadings.U.transpose();
}

}  // namespace sunder
