#include "algorithms/robust_cp/inference/errors/standard_errors.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "algorithms/robust_cp/levels/inference.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace limits = levels::inference;

namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

class Sandwich {
 public:
  Sandwich(const CpModel& model, const ModeConstraints& constraints, NormalEquations& equations,
           double slope)
      : factors_(scaled_factors(model)),
        constraints_(constraints),
        equations_(equations),
        size_(equations.unknowns()) {
    complete(equations.curvature);
    complete(equations.scatter);
    equations.curvature *= slope;
    identify();
  }

  /// The covariance of the unknowns. Those that stand for others, or cannot move, repeat or vanish.
  /// Empty if the entries leave a part of L open.
  Matrix covariance() {
    if (free_ == 0) return {};  // nothing is known of any unknown
    const Matrix H = reduced(equations_.curvature);
    const Matrix V = reduced(equations_.scatter);
    const double unit = H.trace() / static_cast<double>(std::max<Index>(free_, 1));
    Matrix regular = H + unit * gauge_square();
    regular.diagonal().array() += limits::ridge * unit;
    const Eigen::LLT<Matrix> inverse(regular);
    const double pivot = inverse.matrixLLT().diagonal().minCoeff();
    if (!(pivot * pivot > limits::least_pivot * unit)) return {};
    const Matrix half = inverse.solve(V);
    Matrix C = inverse.solve(half.transpose());
    C *= degrees_of_freedom();
    return expanded(C);
  }

 private:
  /// Only blocks above the diagonal were added up.
  static void complete(Matrix& sums) {
    sums.triangularView<Eigen::StrictlyLower>() = sums.transpose();
  }

  /// Which free unknown each one is: that of the leader of its group; -1 at the bound.
  void identify() {
    place_.assign(size_, -1);
    for (int m = 0; m < order(); ++m) {
      const int leader = constraints_.leader(m);
      for (Index i = 0; i < factors_[m].rows(); ++i) {
        for (Index k = 0; k < rank(); ++k) {
          Index& place = place_[equations_.at(m, i) + k];
          if (leader != m) {
            place = place_[equations_.at(leader, i) + k];
          } else if (is_free(m, i, k)) {
            place = free_++;
          }
        }
      }
    }
  }

  /// Not at its bound, and in a row that is known.
  bool is_free(int mode, Index row, Index component) const {
    const Index at = equations_.at(mode, row) + component;
    return equations_.curvature(at, at) > 0 &&
           (!constraints_.nonnegative(mode) || factors_[mode](row, component) > 0);
  }

  Matrix reduced(const Matrix& full) const {
    if (free_ == size_) return full;
    Matrix small = Matrix::Zero(free_, free_);
    for (Index j = 0; j < size_; ++j) {
      if (place_[j] < 0) continue;
      for (Index i = 0; i < size_; ++i) {
        if (place_[i] >= 0) small(place_[i], place_[j]) += full(i, j);
      }
    }
    return small;
  }

  Matrix expanded(Matrix small) const {
    if (free_ == size_) return small;
    Matrix full = Matrix::Zero(size_, size_);
    for (Index j = 0; j < size_; ++j) {
      for (Index i = 0; i < size_; ++i) {
        if (place_[i] >= 0 && place_[j] >= 0) full(i, j) = small(place_[i], place_[j]);
      }
    }
    return full;
  }

  /// Z Z' of unit columns. A factor may grow as another shrinks; the factors of a matrix may also
  /// be mixed.
  Matrix gauge_square() const {
    std::vector<Vector> directions;
    for (int m = 0; m + 1 < order(); ++m) {
      if (constraints_.leader(m + 1) != m + 1) continue;  // it moves with its group
      for (Index k = 0; k < rank(); ++k) {
        for (Index l = 0; l < rank(); ++l) {
          if (l == k || (order() == 2 && !constraints_.any())) directions.push_back(mixed(m, k, l));
        }
      }
    }
    Matrix Z(free_, std::ssize(directions));
    for (std::size_t k = 0; k < directions.size(); ++k) Z.col(k) = directions[k].normalized();
    return Z * Z.transpose();
  }

  /// Adds component l to component k in the group of a mode, and takes k from l in the next one.
  Vector mixed(int mode, Index k, Index l) const {
    Vector direction = Vector::Zero(free_);
    const int first = constraints_.leader(mode);
    const auto modes_of = [&](int leader) {
      double count = 0;
      for (int m = 0; m < order(); ++m) count += constraints_.leader(m) == leader ? 1 : 0;
      return count;
    };
    add_column(first, k, l, 1 / modes_of(first), direction);
    add_column(mode + 1, l, k, -1 / modes_of(mode + 1), direction);
    return direction;
  }

  void add_column(int mode, Index to, Index from, double factor, Vector& direction) const {
    for (Index i = 0; i < factors_[mode].rows(); ++i) {
      const Index place = place_[equations_.at(mode, i) + to];
      if (place >= 0) direction[place] += factor * factors_[mode](i, from);
    }
  }

  /// What fitting so many unknowns has taken from the residuals.
  double degrees_of_freedom() const {
    const auto unknowns = static_cast<double>(free_ - rank() * (order() - 1));
    return equations_.inliers / std::max(equations_.inliers - unknowns, 1.0);
  }

  int order() const { return static_cast<int>(factors_.size()); }
  Index rank() const { return factors_.front().cols(); }

  Factors factors_;
  const ModeConstraints& constraints_;
  NormalEquations& equations_;
  Index size_;
  Index free_ = 0;
  std::vector<Index> place_;
};

/// Covariance of one column of a factor.
Matrix of_column(const Matrix& covariance, const NormalEquations& equations, int mode, Index column,
                 Index rows, Index rank) {
  const Index first = equations.at(mode, 0) + column;
  return covariance(Eigen::seqN(first, rows, rank), Eigen::seqN(first, rows, rank));
}

/// Of a column scaled to length one: (I - u u') C (I - u u') / |a|^2.
Vector errors_of_direction(const Matrix& C, const Vector& column) {
  const double size = column.norm();
  const Vector u = column / std::max(size, tiny);
  const Vector Cu = C * u;
  const Vector variance = C.diagonal() - 2 * u.cwiseProduct(Cu) + u.cwiseProduct(u) * (u.dot(Cu));
  return variance.cwiseMax(0).cwiseSqrt() / std::max(size, tiny);
}

}  // namespace

Factors scaled_factors(const CpModel& model) {
  Factors factors = model.factors();
  const double root = 1.0 / static_cast<double>(factors.size());
  const Eigen::ArrayXd sizes = model.weights().array().abs().pow(root);
  for (Matrix& factor : factors) factor *= sizes.matrix().asDiagonal();
  for (Index k = 0; k < model.rank(); ++k) {
    if (model.weights()[k] < 0) factors.front().col(k) *= -1;
  }
  return factors;
}

StandardErrors standard_errors(const CpModel& model, const ModeConstraints& constraints,
                               NormalEquations& equations, double slope) {
  StandardErrors errors;
  const Factors factors = scaled_factors(model);
  const Index rank = factors.front().cols();
  Matrix C = Sandwich(model, constraints, equations, slope).covariance();
  if (C.size() == 0 || !C.allFinite()) return errors;
  errors.known = true;
  errors.weights = Vector::Zero(rank);
  for (Index k = 0; k < rank; ++k) {
    Vector gradient = Vector::Zero(C.rows());
    for (int m = 0; m < model.order(); ++m) {
      const Vector column = factors[m].col(k);
      gradient(Eigen::seqN(equations.at(m, 0) + k, column.size(), rank)) =
          column / std::max(column.squaredNorm(), tiny);
    }
    const double variance = gradient.dot(C * gradient);
    errors.weights[k] = std::abs(model.weights()[k]) * std::sqrt(std::max(variance, 0.0));
  }
  for (int m = 0; m < model.order(); ++m) {
    Matrix of_factor(factors[m].rows(), rank);
    for (Index k = 0; k < rank; ++k) {
      const Matrix of_one = of_column(C, equations, m, k, factors[m].rows(), rank);
      of_factor.col(k) = errors_of_direction(of_one, factors[m].col(k));
      for (Index i = 0; i < of_factor.rows(); ++i) {
        const Index at = equations.at(m, i) + k;
        if (!(equations.curvature(at, at) > 0)) of_factor(i, k) = unbounded;  // nothing is known
      }
    }
    errors.factors.push_back(std::move(of_factor));
  }
  errors.covariance = std::move(C);
  return errors;
}

}  // namespace sunder::robust
