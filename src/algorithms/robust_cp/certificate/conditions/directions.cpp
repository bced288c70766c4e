#include "algorithms/robust_cp/certificate/conditions/directions.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/evidence.hpp"
#include "algorithms/robust_cp/levels/certificate.hpp"
#include "algorithms/robust_cp/levels/shared.hpp"
#include "core/dense.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::directions;

/// A fibre, and the probability with which it was drawn.
struct Column {
  ModeIndices index{};
  double probability = 1;
};

/// For each row of a factor: the leverage, and each component's share of its square; each of them
/// sums to one.
struct RowLaws {
  Vector leverage;
  Matrix shares;

  explicit RowLaws(const Matrix& factor) {
    const Svd svd = jacobi_svd(factor, SingularVectors::left);
    const Vector& values = svd.values;
    Index rank = 0;
    while (rank < values.size() && values[rank] > limits::zero_singular_value * values[0]) ++rank;
    leverage = svd.u.leftCols(rank).rowwise().squaredNorm() / static_cast<double>(rank);
    shares = factor.cwiseAbs2();
    for (Index k = 0; k < shares.cols(); ++k) {
      const double sum = shares.col(k).sum();
      if (sum > 0) shares.col(k) /= sum;
    }
  }
};

Index draw(const Eigen::Ref<const Vector>& law, Rng& rng) {
  double at = rng.uniform(0, law.sum());
  for (Index i = 0; i + 1 < law.size(); ++i) {
    at -= law[i];
    if (at < 0) return i;
  }
  return law.size() - 1;
}

class ColumnDraw {
 public:
  ColumnDraw(const Factors& factors, int mode) : mode_(mode) {
    for (const Matrix& factor : factors) {
      laws_.emplace_back(factor);
      shape_.push_back(factor.rows());
    }
    for (Index k = 0; k < factors.front().cols(); ++k) {
      bool alive = true;
      for (const RowLaws& law : laws_) alive = alive && law.shares.col(k).sum() > 0;
      if (alive) components_.push_back(k);
    }
  }

  std::vector<Column> columns(Index rank, Rng& rng) const {
    Index all = 1;
    for (std::size_t m = 0; m < shape_.size(); ++m) {
      all = is_other(m) ? std::min(all * shape_[m], limits::all_columns_below + 1) : all;
    }
    return all <= limits::all_columns_below
               ? every_column(all)
               : drawn_columns(limits::draws_per_component * rank, rng);
  }

 private:
  bool is_other(std::size_t mode) const { return static_cast<int>(mode) != mode_; }

  std::vector<Column> every_column(Index count) const {
    std::vector<Column> columns(count);
    for (Index c = 0; c < count; ++c) {
      Index rest = c;
      for (std::size_t m = shape_.size(); m-- > 0;) {
        if (!is_other(m)) continue;
        columns[c].index[m] = rest % shape_[m];
        rest /= shape_[m];
      }
    }
    return columns;
  }

  /// Half by the leverages, half by a component's own squares.
  std::vector<Column> drawn_columns(Index count, Rng& rng) const {
    std::vector<Column> columns;
    for (Index c = 0; c < count; ++c) {
      Column column;
      const bool by_component = c % 2 == 1 && !components_.empty();
      const Index k = by_component ? components_[rng.below(components_.size())] : 0;
      for (std::size_t m = 0; m < laws_.size(); ++m) {
        if (!is_other(m)) continue;
        column.index[m] =
            by_component ? draw(laws_[m].shares.col(k), rng) : draw(laws_[m].leverage, rng);
      }
      column.probability = probability(column.index);
      columns.push_back(column);
    }
    // One that was drawn twice is still one entry.
    const auto less = [](const Column& a, const Column& b) { return a.index < b.index; };
    const auto same = [](const Column& a, const Column& b) { return a.index == b.index; };
    std::sort(columns.begin(), columns.end(), less);
    columns.erase(std::unique(columns.begin(), columns.end(), same), columns.end());
    return columns;
  }

  double probability(const ModeIndices& index) const {
    double leverage = 1;
    for (std::size_t m = 0; m < laws_.size(); ++m) {
      if (is_other(m)) leverage *= laws_[m].leverage[index[m]];
    }
    double by_component = 0;
    for (const Index k : components_) {
      double product = 1;
      for (std::size_t m = 0; m < laws_.size(); ++m) {
        if (is_other(m)) product *= laws_[m].shares(index[m], k);
      }
      by_component += product / static_cast<double>(components_.size());
    }
    return (leverage + by_component) / 2;
  }

  int mode_;
  std::vector<RowLaws> laws_;
  std::vector<Index> shape_;
  std::vector<Index> components_;
};

/// The Khatri-Rao rows k_c.
Matrix design_of(const Factors& factors, int mode, const std::vector<Column>& columns) {
  Matrix design = Matrix::Ones(std::ssize(columns), factors.front().cols());
  for (std::size_t m = 0; m < factors.size(); ++m) {
    if (static_cast<int>(m) == mode) continue;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      design.row(static_cast<Index>(c)).array() *= factors[m].row(columns[c].index[m]).array();
    }
  }
  return design;
}

/// k_c / sqrt(probability), in coordinates in which the sum of k k' is the identity; directions in
/// which there is nothing are left out.
Matrix whitened(const Matrix& design, const std::vector<Column>& columns) {
  Matrix scaled = design;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    scaled.row(static_cast<Index>(c)) /= std::sqrt(columns[c].probability);
  }
  const SymmetricEigen eigen = symmetric_eigen(scaled.transpose() * scaled);
  const Vector& values = eigen.values;
  Index dead = 0;
  const double least = limits::negligible_square * values[values.size() - 1];
  while (dead < values.size() && !(values[dead] > least)) ++dead;
  const Index alive = values.size() - dead;
  return scaled * eigen.vectors.rightCols(alive) *
         values.tail(alive).cwiseSqrt().cwiseInverse().asDiagonal();
}

/// The largest k'(K'K)^-1 k of the rows k of K, from the eigenvalues of K'K, which are positive.
double largest_leverage(const Eigen::Ref<const Matrix>& rows, const SymmetricEigen& gram) {
  const Matrix coordinates =
      rows * gram.vectors * gram.values.cwiseSqrt().cwiseInverse().asDiagonal();
  return coordinates.rowwise().squaredNorm().maxCoeff();
}

/// One row of the factor.
bool depends_on_one_entry(const Matrix& directions, const Eigen::RowVectorXd& residual,
                          double level) {
  Matrix fitted(directions.rows(), directions.cols());
  Index count = 0;
  double observed = 0;
  for (Index c = 0; c < residual.size(); ++c) {
    if (std::isnan(residual[c])) continue;
    observed += directions.row(c).squaredNorm();
    if (std::abs(residual[c]) < level) fitted.row(count++) = directions.row(c);
  }
  if (observed == 0) return false;  // nothing is known about this row, and slices have said so
  const auto rows = fitted.topRows(count);
  const SymmetricEigen eigen = symmetric_eigen(rows.transpose() * rows);
  const double weakest = eigen.values[0] * static_cast<double>(directions.cols()) / observed;
  return count == 0 || weakest < limits::least_share ||
         !(largest_leverage(rows, eigen) <= limits::most_leverage);
}

}  // namespace

bool have_zeros(const Factors& factors) {
  for (const Matrix& factor : factors) {
    const Eigen::RowVectorXd largest = factor.cwiseAbs().colwise().maxCoeff();
    for (Index i = 0; i < factor.rows(); ++i) {
      Index zeros = 0;
      Index others = 0;
      for (Index k = 0; k < factor.cols(); ++k) {
        if (!(largest[k] > 0)) continue;  // no component
        ++(std::abs(factor(i, k)) > levels::zero_entry * largest[k] ? others : zeros);
      }
      if (zeros > 0 && others > 0) return true;
    }
  }
  return false;
}

bool components_can_mix(const Factors& factors) {
  const Index rank = factors.front().cols();
  if (rank < 2) return false;
  if (factors.size() == 2) return true;
  for (const Matrix& factor : factors) {
    const Vector norms = factor.colwise().norm();
    for (Index i = 0; i < rank; ++i) {
      for (Index j = i + 1; j < rank; ++j) {
        const double cosine = std::abs(factor.col(i).dot(factor.col(j)));
        if (cosine > limits::nearly_parallel * norms[i] * norms[j]) return true;
      }
    }
  }
  return false;
}

Index rows_on_one_entry(Engine& engine, const Factors& factors, double level, Rng& rng) {
  Index rows = 0;
  for (int mode = 0; mode < static_cast<int>(factors.size()); ++mode) {
    const std::vector<Column> columns =
        ColumnDraw(factors, mode).columns(factors.front().cols(), rng);
    std::vector<ModeIndices> samples;
    for (const Column& column : columns) samples.push_back(column.index);
    const Matrix design = design_of(factors, mode, columns);
    const Matrix residual =
        engine.gather_fibres(mode, samples) - factors[mode] * design.transpose();
    const Matrix directions = whitened(design, columns);
    for (Index i = 0; i < residual.rows(); ++i) {
      rows += depends_on_one_entry(directions, residual.row(i), level) ? 1 : 0;
    }
  }
  return rows;
}

/// In other models the slices and components already say as much.
Check conditions::directions_determined(Evidence& evidence) {
  const Factors& factors = evidence.factors();
  const bool usual = evidence.core().evidence_needed <= 1;
  if (usual && !components_can_mix(factors) && !have_zeros(factors)) return {};
  return Check::passes_if_none(
      rows_on_one_entry(evidence.engine(), factors, evidence.fit().level, evidence.rng()));
}

}  // namespace sunder::robust
