// Notation, for u_i = x_i - mean, a = persistence, W = innovation, H_i and s_i of the data:
//   the posterior precision of all u has the blocks
//     D_i = H_i + (1/P or 1/W) + a (1/W) a    on the diagonal (the last term but for the last row)
//     O   = - a (1/W)                         beside it
//   F_i = 1 / (D_i - O' F_{i-1} O)    of u_i given what comes after it    G_i = - F_i O
//   C_i = F_i + G_i C_{i+1} G_i'      Cov(u_i, u_{i+1}) = G_i C_{i+1}
// This is the smoother of Rauch, Tung and Striebel in its information form: n r^3 operations.
#include "algorithms/robust_cp/noise/completion/row_chain.hpp"

#include <Eigen/Cholesky>

#include "algorithms/robust_cp/levels/completion.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::completion;

Matrix inverse(const Matrix& positive) {
  return positive.llt().solve(Matrix::Identity(positive.rows(), positive.cols()));
}

void keep_positive(Matrix& covariance, double size) {
  covariance.diagonal().array() += limits::least_row_variance * size + tiny;
}

RowPosterior independent_rows(const RowPrior& prior, const RowMatrix& precisions,
                              const RowMatrix& sums) {
  RowPosterior rows{RowMatrix(sums.rows(), sums.cols()), {}, {}};
  const Matrix of_prior = inverse(prior.covariance);
  const Vector pull = of_prior * prior.mean;
  for (Index i = 0; i < sums.rows(); ++i) {
    rows.covariances.push_back(inverse(unpacked(precisions.row(i), sums.cols()) + of_prior));
    rows.means.row(i) = rows.covariances.back() * (sums.row(i).transpose() + pull);
  }
  return rows;
}

RowPosterior chained_rows(const RowPrior& prior, const RowMatrix& precisions,
                          const RowMatrix& sums) {
  const Index count = sums.rows();
  const Index rank = sums.cols();
  const Matrix first = inverse(prior.covariance);
  const Matrix next = inverse(prior.innovation);
  const Matrix beside = -(prior.persistence.asDiagonal() * next);
  const Matrix before = -(beside * prior.persistence.asDiagonal());
  std::vector<Matrix> given_next;
  RowMatrix left(count, rank);  // right-hand sides without the rows before
  for (Index i = 0; i < count; ++i) {
    const Matrix data = unpacked(precisions.row(i), rank);
    Matrix precision = data + (i == 0 ? first : next);
    if (i + 1 < count) precision += before;
    Vector sum = sums.row(i).transpose() - data * prior.mean;
    if (i > 0) {
      const Matrix back = given_next.back() * beside;
      precision -= beside.transpose() * back;
      sum -= back.transpose() * left.row(i - 1).transpose();
    }
    left.row(i) = sum;
    given_next.push_back(inverse((precision + precision.transpose()) / 2));
  }
  RowPosterior rows{RowMatrix(count, rank), std::vector<Matrix>(count), std::vector<Matrix>(count)};
  for (Index i = count - 1; i >= 0; --i) {
    Vector u = given_next[i] * left.row(i).transpose();
    rows.covariances[i] = given_next[i];
    if (i + 1 < count) {
      const Matrix gain = -given_next[i] * beside;
      u += gain * (rows.means.row(i + 1).transpose() - prior.mean);
      rows.crosses[i] = gain * rows.covariances[i + 1];
      rows.covariances[i] += rows.crosses[i] * gain.transpose();
    }
    rows.means.row(i) = u + prior.mean;
  }
  rows.crosses.pop_back();
  return rows;
}

/// Sums over rows and their successors: of u_i u_i', u_{i+1} u_{i+1}' and u_{i+1} u_i'.
void estimate_chain(const RowPosterior& rows, const RowMatrix& u, bool with_persistence,
                    RowPrior& prior) {
  const Index steps = u.rows() - 1;
  Matrix earlier = u.topRows(steps).transpose() * u.topRows(steps);
  Matrix later = u.bottomRows(steps).transpose() * u.bottomRows(steps);
  Matrix both = u.bottomRows(steps).transpose() * u.topRows(steps);
  for (Index i = 0; i < steps; ++i) {
    earlier += rows.covariances[i];
    later += rows.covariances[i + 1];
    both += rows.crosses[i].transpose();
  }
  Vector& a = prior.persistence;
  if (with_persistence) {
    const Matrix weights = inverse(prior.innovation);
    const Matrix shrunk = earlier + limits::unchained_rows * prior.covariance;
    a = Matrix(weights.cwiseProduct(shrunk)).ldlt().solve((weights * both).diagonal());
    a = a.cwiseMax(0).cwiseMin(limits::most_persistence);
  }
  const Matrix across = both * a.asDiagonal();
  prior.innovation = later - across - across.transpose() +
                     a.asDiagonal() * earlier * a.asDiagonal() + prior.covariance;
  prior.innovation /= static_cast<double>(u.rows());
  keep_positive(prior.innovation, prior.covariance.trace());
}

}  // namespace

RowPrior first_prior(int rank, double size, bool chained) {
  const Matrix covariance = size * size * Matrix::Identity(rank, rank);
  return {chained, Vector::Zero(rank), covariance, Vector::Zero(rank), covariance};
}

RowPosterior row_posterior(const RowPrior& prior, const RowMatrix& precisions,
                           const RowMatrix& sums) {
  return prior.chained ? chained_rows(prior, precisions, sums)
                       : independent_rows(prior, precisions, sums);
}

void estimate_prior(const RowPosterior& rows, bool with_persistence, RowPrior& prior) {
  const auto count = static_cast<double>(rows.means.rows());
  prior.mean = rows.means.colwise().sum().transpose() / (count + 1);
  const RowMatrix u = rows.means.rowwise() - prior.mean.transpose();
  prior.covariance = u.transpose() * u + prior.mean * prior.mean.transpose();
  for (const Matrix& unsure : rows.covariances) prior.covariance += unsure;
  prior.covariance /= count;
  keep_positive(prior.covariance, prior.covariance.trace());
  if (prior.chained) estimate_chain(rows, u, with_persistence, prior);
}

Eigen::RowVectorXd packed(const Matrix& symmetric) {
  const Index rank = symmetric.rows();
  Eigen::RowVectorXd half(rank * (rank + 1) / 2);
  Index k = 0;
  for (Index a = 0; a < rank; ++a) {
    for (Index b = a; b < rank; ++b) half[k++] = symmetric(a, b);
  }
  return half;
}

Matrix unpacked(const Eigen::Ref<const Eigen::RowVectorXd>& half, Index rank) {
  Matrix full(rank, rank);
  Index k = 0;
  for (Index a = 0; a < rank; ++a) {
    for (Index b = a; b < rank; ++b) full(a, b) = full(b, a) = half[k++];
  }
  return full;
}

}  // namespace sunder::robust
