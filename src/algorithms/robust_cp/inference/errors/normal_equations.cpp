#include "algorithms/robust_cp/inference/errors/normal_equations.hpp"

#include <utility>

namespace sunder::robust {

/// The entries of one fibre of the last mode: their weights, and the rows of the other modes.
struct NormalEquations::Fibre {
  std::vector<Index> rows;  ///< of the modes before the last
  const double* weights;    ///< H of each entry
  const double* squares;    ///< Q of each entry
};

NormalEquations::NormalEquations(const Factors& factors)
    : factors_(factors), rank_(factors.front().cols()) {
  first_.push_back(0);
  for (const Matrix& factor : factors) first_.push_back(first_.back() + factor.size());
  curvature = Matrix::Zero(unknowns(), unknowns());
  scatter = Matrix::Zero(unknowns(), unknowns());
}

double NormalEquations::flops(const Shape& shape, Index rank) {
  const auto products = static_cast<double>((shape.order() + 1) * rank * rank);
  return 4 * products * static_cast<double>(shape.entries());
}

void NormalEquations::add(const DenseCore& block, const IndexSets& sets, const Entries& residuals,
                          const EntryWeights& weights, const NoiseModel& noise) {
  const ResidualBins bins = noise.bins();
  Entries H = weights.curvature;
  Entries Q(H.size());
  for (Index i = 0; i < H.size(); ++i) {
    if (!block.is_observed(i)) {
      H[i] = Q[i] = 0;
      continue;
    }
    observed += 1;
    inliers += weights.inlier[i];
    const double outside = (1 - weights.inlier[i]) * noise.outlier_slope[bins.of(residuals[i])];
    const double score = H[i] * residuals[i] - outside;
    Q[i] = score * score;
  }
  const Index length = std::ssize(sets.back());
  const int last = block.shape.order() - 1;
  Fibre fibre{std::vector<Index>(last), nullptr, nullptr};
  for (Index k = 0; k * length < H.size(); ++k) {
    Index rest = k;
    for (int m = last - 1; m >= 0; --m) {
      fibre.rows[m] = sets[m][rest % std::ssize(sets[m])];
      rest /= std::ssize(sets[m]);
    }
    fibre.weights = H.data() + k * length;
    fibre.squares = Q.data() + k * length;
    add_fibre(fibre, sets.back());
  }
}

void NormalEquations::add_fibre(const Fibre& fibre, const std::vector<Index>& columns) {
  const auto last = static_cast<int>(fibre.rows.size());
  const Matrix& factor = factors_[last];
  std::vector<Vector> others(last, Vector::Ones(rank_));  // products of the rows of other modes
  Vector all = Vector::Ones(rank_);
  for (int m = 0; m < last; ++m) {
    const Vector row = factors_[m].row(fibre.rows[m]).transpose();
    all.array() *= row.array();
    for (int l = 0; l < last; ++l) {
      if (l != m) others[l].array() *= row.array();
    }
  }
  const Matrix square = all * all.transpose();
  const auto add_to = [&](Matrix& sums, const double* weights) {
    Matrix inner = Matrix::Zero(rank_, rank_);  // of the last mode's rows, over the fibre
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const double w = weights[j];
      if (w == 0) continue;
      const Vector row = factor.row(columns[j]).transpose();
      inner.noalias() += w * row * row.transpose();
      const Index to = at(last, columns[j]);
      sums.block(to, to, rank_, rank_) += w * square;
      for (int m = 0; m < last; ++m) {
        sums.block(at(m, fibre.rows[m]), to, rank_, rank_).noalias() +=
            (w * others[m].cwiseProduct(row)) * all.transpose();
      }
    }
    for (int m = 0; m < last; ++m) {
      for (int l = m; l < last; ++l) {
        sums.block(at(m, fibre.rows[m]), at(l, fibre.rows[l]), rank_, rank_).array() +=
            inner.array() * (others[m] * others[l].transpose()).array();
      }
    }
  };
  add_to(curvature, fibre.weights);
  add_to(scatter, fibre.squares);
}

}  // namespace sunder::robust
