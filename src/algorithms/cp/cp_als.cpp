#include "algorithms/cp/cp_als.hpp"

#include <Eigen/QR>

#include "algorithms/convex/jennrich.hpp"
#include "algorithms/cp/nonnegative_least_squares.hpp"
#include "core/dense.hpp"
#include "core/grams.hpp"

namespace sunder {

CpModel with_singular_vectors(const CpModel& model) {
  const Qr left = thin_qr(model.factor(0));
  const Qr right = thin_qr(model.factor(1));
  const Svd svd =
      jacobi_svd(left.triangle * model.weights().asDiagonal() * right.triangle.transpose());
  return {svd.values, {left.basis * svd.u, right.basis * svd.v}};
}

Matrix best_factor(TensorOperator& tensor, const std::vector<Matrix>& factors, int mode) {
  const Matrix right_side = tensor.mttkrp(factors, mode);
  // Two components may have become parallel: the decomposition gives the minimum-norm solution
  // where the normal matrix is singular.
  const Eigen::CompleteOrthogonalDecomposition<Matrix> solver(
      gram_product_of_others(factors, static_cast<std::size_t>(mode)));
  return solver.solve(right_side.transpose()).transpose();
}

CpModel cp_als(TensorOperator& tensor, CpModel start, const CpAlsOptions& options) {
  CpModel model = std::move(start);
  model.normalise();
  for (int sweep = 0; sweep < options.max_sweeps; ++sweep) {
    std::vector<Matrix> factors = model.factors();
    Vector weights = model.weights();
    for (std::size_t mode = 0; mode < factors.size(); ++mode) {
      factors[mode] = best_factor(tensor, factors, static_cast<int>(mode));
      weights = factors[mode].colwise().norm();
      for (Index i = 0; i < weights.size(); ++i) {
        if (weights[i] > 0) factors[mode].col(i) /= weights[i];
      }
    }
    CpModel next(std::move(weights), std::move(factors));
    const double change = next.distance(model);
    const double scale = next.norm();
    model = std::move(next);
    if (change <= options.tolerance * scale) break;
  }
  if (model.order() == 2) return with_singular_vectors(model);
  model.normalise();
  model.sort_by_weight();
  return model;
}

namespace {

/// A model that alternating least squares updates mode by mode, or group by group.
class ConstrainedAls {
 public:
  ConstrainedAls(TensorOperator& tensor, const CpModel& start, const ModeConstraints& constraints)
      : tensor_(tensor),
        constraints_(constraints),
        weights_(start.weights()),
        factors_(start.factors()) {
    for (int mode = 0; mode < start.order(); ++mode) {
      Matrix& factor = factors_[mode];
      if (constraints.nonnegative(mode)) factor = factor.cwiseAbs();
      factor = factors_[constraints.leader(mode)];
    }
  }

  CpModel sweep() {
    for (int mode = 0; mode < static_cast<int>(factors_.size()); ++mode) {
      if (constraints_.leader(mode) == mode) update(mode);
    }
    return {weights_, factors_};
  }

 private:
  int group_size(int mode) const {
    int size = 0;
    for (int m = 0; m < static_cast<int>(factors_.size()); ++m) {
      size += constraints_.leader(m) == mode ? 1 : 0;
    }
    return size;
  }

  void update(int mode) {
    const auto at = static_cast<std::size_t>(mode);
    const int size = group_size(mode);
    Matrix next = constraints_.nonnegative(mode) ? best_nonnegative(mode)
                                                 : best_factor(tensor_, factors_, mode);
    for (Index i = 0; i < next.cols(); ++i) {
      double length = next.col(i).norm();
      if (length > 0) next.col(i) /= length;
      if (size > 1) {
        const bool turned = next.col(i).dot(factors_[at].col(i)) < 0;
        if (turned) next.col(i) *= -1;
        if (turned && size % 2 == 0) length = -length;
        next.col(i) = (next.col(i) + factors_[at].col(i)).eval();
        if (next.col(i).norm() > 0) next.col(i).normalize();
      }
      weights_[i] = length;
    }
    for (int m = 0; m < static_cast<int>(factors_.size()); ++m) {
      if (constraints_.leader(m) == mode) factors_[m] = next;
    }
  }

  Matrix best_nonnegative(int mode) {
    Matrix normal = gram_product_of_others(factors_, static_cast<std::size_t>(mode));
    normal.diagonal().array() += 1e-12 * normal.trace() / static_cast<double>(normal.rows());
    return nonnegative_rows(normal, tensor_.mttkrp(factors_, mode));
  }

  TensorOperator& tensor_;
  const ModeConstraints& constraints_;
  Vector weights_;
  std::vector<Matrix> factors_;
};

}  // namespace

CpModel constrained_cp_als(TensorOperator& tensor, const CpModel& start,
                           const CpAlsOptions& options, const ModeConstraints& constraints) {
  CpModel model = start;
  model.normalise();
  ConstrainedAls als(tensor, model, constraints);
  for (int sweep = 0; sweep < options.max_sweeps; ++sweep) {
    CpModel next = als.sweep();
    const double change = next.distance(model);
    const double scale = next.norm();
    model = std::move(next);
    if (change <= options.tolerance * scale) break;
  }
  model.normalise();
  model.sort_by_weight();
  return model;
}

CpModel best_cp_als(TensorOperator& tensor, int rank, int starts, const CpAlsOptions& options,
                    Rng& rng) {
  CpModel best = CpModel::zero(tensor.shape());
  double most = 0;
  for (int start = 0; start < starts; ++start) {
    CpModel fit =
        cp_als(tensor,
               start == 0 ? jennrich_start(tensor, rank, rng)
                          : with_random_components(CpModel::zero(tensor.shape()), rank, rng),
               options);
    // ||T||^2 - ||T - L||^2 = 2 <T, L> - ||L||^2, the largest for the best fit.
    const Matrix product = tensor.mttkrp(fit.factors(), 0);
    const double inner =
        (product.cwiseProduct(fit.factor(0)).colwise().sum() * fit.weights()).value();
    const double explained = 2 * inner - fit.inner(fit);
    if (start > 0 && explained <= most) continue;
    most = explained;
    best = std::move(fit);
  }
  return best;
}

CpModel with_random_components(const CpModel& model, int rank, Rng& rng) {
  const int missing = rank - model.rank();
  if (missing <= 0) return model;
  std::vector<Matrix> factors;
  for (const Index extent : model.shape()) {
    factors.emplace_back(Matrix::NullaryExpr(extent, missing, [&] { return rng.normal(); }));
  }
  CpModel added(Vector::Ones(missing), std::move(factors));
  added.normalise();
  return concatenate(model, CpModel(Vector::Ones(missing), added.factors()));
}

}  // namespace sunder
