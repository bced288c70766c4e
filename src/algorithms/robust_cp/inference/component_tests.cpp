#include "algorithms/robust_cp/inference/component_tests.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "algorithms/robust_cp/levels/inference.hpp"
#include "sunder/core/matching.hpp"

namespace sunder::robust {

namespace {

/// Mode `mode` times a matrix, with that mode's extent replaced.
Entries times_mode(const Matrix& left, const Entries& entries, std::vector<Index>& extents,
                   int mode) {
  const RowMatrix product = left * unfold(Shape(extents), entries, mode);
  extents[mode] = left.rows();
  const Shape shape(extents);
  Entries result(shape.entries());
  Index inner = 1;
  for (int m = mode + 1; m < shape.order(); ++m) inner *= shape[m];
  const Index outer = shape.entries() / (shape[mode] * inner);
  // The columns of an unfolding count the other modes in C order.
  for (Index o = 0; o < outer; ++o) {
    for (Index i = 0; i < shape[mode]; ++i) {
      result.segment((o * shape[mode] + i) * inner, inner) =
          product.row(i).segment(o * inner, inner).transpose();
    }
  }
  return result;
}

/// The squared cosine of a column with its best copy of zeros and one constant, and the share of
/// its rows where that is not zero.
struct Flatness {
  double square = 0;
  double support = 0;
};

Flatness flatness(const Vector& column) {
  std::vector<double> sizes(column.size());
  for (Index i = 0; i < column.size(); ++i) sizes[i] = std::abs(column[i]);
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  double sum = 0;
  Flatness best;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    sum += sizes[k];
    const auto rows = static_cast<double>(k + 1);
    if (sum * sum / rows > best.square) best = {sum * sum / rows, rows};
  }
  best.square /= std::max(column.squaredNorm(), std::numeric_limits<double>::min());
  best.support /= static_cast<double>(column.size());
  return best;
}

}  // namespace

double core_consistency(const Shape& shape, const Entries& clean, const Factors& factors,
                        double mean_variance) {
  const Index rank = factors.front().cols();
  const Index shortest = *std::min_element(shape.begin(), shape.end());
  if (shape.order() < 3 || rank > shortest || !(norm(factors) > 0)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  Entries core = clean;
  std::vector<Index> extents(shape.begin(), shape.end());
  double amplification = 1;  // of the squares of noise, by the maps to the core
  for (int m = 0; m < shape.order(); ++m) {
    const Matrix inverse = factors[m].completeOrthogonalDecomposition().pseudoInverse();
    amplification *= inverse.squaredNorm();
    core = times_mode(inverse, core, extents, m);
  }
  const Shape small(extents);
  Index step = 0;  // between the entries of the superdiagonal
  for (int m = 0; m < small.order(); ++m) step = step * small[m] + 1;
  for (Index k = 0; k < rank; ++k) core[k * step] -= 1;
  const double count = static_cast<double>(rank);
  return std::min(100 * (1 - (core.square().sum() - amplification * mean_variance) / count), 100.0);
}

Eigen::ArrayXd boxes(const Factors& factors) {
  Eigen::ArrayXd squares = Eigen::ArrayXd::Ones(factors.front().cols());
  Eigen::ArrayXd least_support = Eigen::ArrayXd::Ones(squares.size());
  for (const Matrix& factor : factors) {
    for (Index k = 0; k < factor.cols(); ++k) {
      const Flatness found = flatness(factor.col(k));
      squares[k] *= found.square;
      least_support[k] = std::min(least_support[k], found.support);
    }
  }
  return (least_support < levels::inference::nearly_all_rows).select(squares, 0.0);
}

double least_match(const Factors& a, const Factors& b) {
  const ComponentMatch match = match_components(as_model(a), as_model(b));
  double least = 1;
  for (const double cosine : match.cosine) least = std::min(least, cosine);
  return least;
}

}  // namespace sunder::robust
