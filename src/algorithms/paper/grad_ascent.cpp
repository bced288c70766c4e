// Notation, as in Procedure 1:
//   T        the tensor; T_j: without the components found so far
//   theta    random direction; u: top singular vector of T_j(I, I, theta)
//   v, lambda   eigenvector and eigenvalue, T(I, v, v) = lambda v
//   N1, N2   restarts, power iterations
// All restarts are columns of one matrix: an iteration of all of them is one pass.
#include "algorithms/paper/grad_ascent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace sunder {

namespace {

/// Makes every column a unit vector. A zero column stays zero.
void normalise_columns(Matrix& v) {
  for (Index i = 0; i < v.cols(); ++i) {
    const double norm = v.col(i).norm();
    if (norm > 0) v.col(i) /= norm;
  }
}

Vector column_dots(const Matrix& a, const Matrix& b) {
  return a.cwiseProduct(b).colwise().sum().transpose();
}

Matrix random_directions(Index dimension, int count, Rng& rng) {
  return Matrix::NullaryExpr(dimension, count, [&] { return rng.normal(); });
}

class GradAscent {
 public:
  GradAscent(TensorOperator& tensor, const SymmetricForm& form, const GradAscentOptions& options,
             Rng& rng)
      : tensor_(tensor), form_(form), options_(options), rng_(rng) {}

  Eigenpairs run(int rank) {
    find_starts(rank);
    ascend();
    return sorted();
  }

 private:
  /// Lines 2 to 12: power iterations and deflation, component by component.
  void find_starts(int rank) {
    const Shape shape = tensor_.shape();
    CpModel found = CpModel::zero(shape);
    pairs_.vectors.resize(form_.dimension(shape), 0);
    for (int j = 0; j < rank; ++j) {
      DeflatedTensor rest(tensor_, found);  // T_j
      const auto [lambda, v] = best_restart(rest);
      if (!(lambda > vanishing * (j == 0 ? 0 : pairs_.values[0]))) return;
      append(lambda, v);
      found = concatenate(found, form_.component(lambda, v, shape));
    }
  }

  /// Lines 3 to 9.
  std::pair<double, Vector> best_restart(TensorOperator& rest) {
    Matrix v = top_singular_vectors(rest);
    Vector lambda;
    for (int t = 0; t <= options_.power_iterations; ++t) {
      const Matrix next = form_.square(rest, v);
      lambda = column_dots(v, next);
      if (t == options_.power_iterations) break;
      v = next + options_.shift * v;
      normalise_columns(v);
    }
    Index best = 0;
    const double largest = lambda.maxCoeff(&best);
    return {largest, v.col(best)};
  }

  /// Line 4: the top singular vector of the symmetric matrix T_j(I, I, theta), for each theta.
  Matrix top_singular_vectors(TensorOperator& rest) {
    const Index n = form_.dimension(rest.shape());
    const Matrix theta = random_directions(n, options_.restarts, rng_);
    Matrix u = random_directions(n, options_.restarts, rng_);
    for (int t = 0; t < options_.svd_iterations; ++t) {
      normalise_columns(u);
      u = form_.contract(rest, u, theta);
    }
    normalise_columns(u);
    return u;
  }

  void append(double lambda, const Vector& v) {
    const Index j = pairs_.values.size();
    pairs_.values.conservativeResize(j + 1);
    pairs_.values[j] = lambda;
    pairs_.vectors.conservativeResize(Eigen::NoChange, j + 1);
    pairs_.vectors.col(j) = v;
  }

  /// Lines 13 to 18, for all pairs at once: ascent on f(v) = T(v, v, v) - (3/4) lambda |v|^4.
  void ascend() {
    Matrix& v = pairs_.vectors;
    const Vector lambda = pairs_.values;
    if (lambda.size() == 0) return;
    const double root_n = std::sqrt(static_cast<double>(v.rows()));
    Vector step =
        (4 * lambda.array() * (1 + lambda.array() / (lambda.maxCoeff() * root_n))).inverse();
    Vector before = Vector::Constant(lambda.size(), std::numeric_limits<double>::infinity());
    for (int t = 0;; ++t) {
      const Matrix product = form_.square(tensor_, v);  // T(I, v, v)
      const Vector squared = v.colwise().squaredNorm().transpose();
      const Matrix gradient = product - v * lambda.cwiseProduct(squared).asDiagonal();
      const Vector residual = gradient.colwise().norm().transpose().cwiseQuotient(lambda);
      pairs_.residuals.push_back(residual.maxCoeff());
      const bool settled = pairs_.residuals.back() <= options_.tolerance;
      if (settled || t == options_.max_iterations) {
        pairs_.converged = settled;
        finish(product);
        return;
      }
      for (Index j = 0; j < lambda.size(); ++j) {
        if (residual[j] > before[j]) step[j] /= 2;  // too long for this pair
        before[j] = residual[j];
      }
      v += gradient * step.asDiagonal();
    }
  }

  /// The ascent ends at T(I, v, v) = lambda |v|^2 v with the lambda it began with, so that |v| is
  /// not quite 1: lambda_j = T(v, v, v) of the unit vector.
  void finish(const Matrix& product) {
    Matrix& v = pairs_.vectors;
    const Vector norm = v.colwise().norm().transpose();
    pairs_.values = column_dots(v, product).array() / norm.array().cube();
    normalise_columns(v);
  }

  Eigenpairs sorted() {
    std::vector<Index> by_value(pairs_.values.size());
    std::iota(by_value.begin(), by_value.end(), Index{0});
    std::stable_sort(by_value.begin(), by_value.end(),
                     [&](Index a, Index b) { return pairs_.values[a] > pairs_.values[b]; });
    const Shape shape = tensor_.shape();
    Eigenpairs ordered = pairs_;
    ordered.components = CpModel::zero(shape);
    for (std::size_t j = 0; j < by_value.size(); ++j) {
      const Index from = by_value[j];
      const auto to = static_cast<Index>(j);
      ordered.values[to] = pairs_.values[from];
      ordered.vectors.col(to) = pairs_.vectors.col(from);
      ordered.components =
          concatenate(ordered.components,
                      form_.component(pairs_.values[from], pairs_.vectors.col(from), shape));
    }
    return ordered;
  }

  /// An eigenvalue below this share of the largest means that only rounding is left of T.
  static constexpr double vanishing = 1e-14;

  TensorOperator& tensor_;
  const SymmetricForm& form_;
  GradAscentOptions options_;
  Rng& rng_;
  Eigenpairs pairs_;
};

}  // namespace

Eigenpairs grad_ascent(TensorOperator& tensor, const SymmetricForm& form, int rank,
                       const GradAscentOptions& options, Rng& rng) {
  return GradAscent(tensor, form, options, rng).run(rank);
}

}  // namespace sunder
