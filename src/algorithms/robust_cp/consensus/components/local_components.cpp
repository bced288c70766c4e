// Notation:
//   L = U D V'   U and V have orthonormal columns
//   w, z         a = U w is zero in the rows of U orthogonal to w, and b = V z in those of V
//   a b' / s     with s = w' D^-1 z, leaves a matrix of a rank lower by one (Wedderburn)
#include "algorithms/robust_cp/consensus/components/local_components.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "algorithms/robust_cp/levels/search.hpp"
#include "core/dense.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::local_components;

/// A direction, and the rows that are orthogonal to it.
struct Direction {
  Vector normal;
  Index zeros = 0;
};

/// U, D and V of a matrix given by two factors.
struct Singular {
  Matrix u;
  Vector values;
  Matrix v;

  Singular(const Matrix& left, const Matrix& right) {
    const Index k = left.cols();
    const Matrix q_left =
        Eigen::HouseholderQR<Matrix>(left).householderQ() * Matrix::Identity(left.rows(), k);
    const Matrix q_right =
        Eigen::HouseholderQR<Matrix>(right).householderQ() * Matrix::Identity(right.rows(), k);
    const Svd svd =
        thin_svd((q_left.transpose() * left) * (q_right.transpose() * right).transpose());
    const Index rank = (svd.values.array() > levels::merging::zero * svd.values[0]).count();
    u = q_left * svd.u.leftCols(rank);
    v = q_right * svd.v.leftCols(rank);
    values = svd.values.head(rank);
  }
};

Vector products(const Matrix& rows, const Vector& normal) {
  Vector product = rows * normal;
  for (Index i = 0; i < product.size(); ++i) {
    if (std::abs(product[i]) <= limits::zero * rows.row(i).norm()) product[i] = 0;
  }
  return product;
}

/// Directions orthogonal to many rows, the best first: each is orthogonal to r - 1 drawn ones.
std::vector<Direction> directions(const Matrix& rows, Rng& rng) {
  const Index rank = rows.cols();
  std::vector<Direction> found;
  Matrix drawn(rank, rank - 1);
  for (int draw = 0; draw < limits::draws; ++draw) {
    for (Index k = 0; k + 1 < rank; ++k) {
      drawn.col(k) = rows.row(static_cast<Index>(rng.below(rows.rows()))).transpose();
      drawn.col(k) /= std::max(drawn.col(k).norm(), levels::tiny_length);
    }
    const Matrix q = Eigen::HouseholderQR<Matrix>(drawn).householderQ();
    Direction direction{q.col(rank - 1)};
    direction.zeros = (products(rows, direction.normal).array() == 0).count();
    found.push_back(std::move(direction));
  }
  std::ranges::stable_sort(found, std::greater{}, &Direction::zeros);
  std::vector<Direction> best;
  for (Direction& direction : found) {
    const bool known = std::ranges::any_of(best, [&](const Direction& other) {
      return std::abs(other.normal.dot(direction.normal)) > limits::same;
    });
    if (!known) best.push_back(std::move(direction));
    if (best.size() == limits::kept) break;
  }
  return best;
}

/// A component with as many zeros as possible; nothing where any one has as many.
std::optional<std::pair<Vector, Vector>> most_local(const Singular& matrix, Rng& rng) {
  const Index rank = matrix.u.cols();
  const std::vector<Direction> left = directions(matrix.u, rng);
  const std::vector<Direction> right = directions(matrix.v, rng);
  const Vector root = matrix.values.cwiseSqrt().cwiseInverse();
  Index most = 2 * (rank - 1);
  std::optional<std::pair<Vector, Vector>> best;
  for (const Direction& w : left) {
    for (const Direction& z : right) {
      if (w.zeros + z.zeros <= most) continue;
      const Vector a = root.asDiagonal() * w.normal;
      const Vector b = root.asDiagonal() * z.normal;
      if (std::abs(a.dot(b)) < limits::least_cosine * a.norm() * b.norm()) continue;
      most = w.zeros + z.zeros;
      best = {w.normal, z.normal};
    }
  }
  return best;
}

void append(Factors& factors, const Matrix& left, const Matrix& right) {
  const Matrix* parts[] = {&left, &right};
  for (std::size_t m = 0; m < 2; ++m) {
    Matrix joined(parts[m]->rows(), factors[m].cols() + parts[m]->cols());
    joined << factors[m], *parts[m];
    factors[m] = std::move(joined);
  }
}

}  // namespace

Factors with_local_components(const Factors& factors, Rng& rng) {
  const Index rank = factors.front().cols();
  if (factors.size() != 2 || rank < 2) return factors;
  if (rank > factors[0].rows() || rank > factors[1].rows()) return factors;
  Matrix left = factors[0];
  Matrix right = factors[1];
  Factors local{Matrix(left.rows(), 0), Matrix(right.rows(), 0)};
  while (left.cols() > 1) {
    const Singular matrix(left, right);
    if (matrix.values.size() < 2) break;
    const auto component = most_local(matrix, rng);
    if (!component) break;
    const auto& [w, z] = *component;
    const Vector scaled = matrix.values.cwiseInverse().asDiagonal() * z;
    const double s = w.dot(scaled);
    append(local, products(matrix.u, w), products(matrix.v, z) / s);
    // The rest is U E D V' with E = I - w (D^-1 z)' / s, whose columns are orthogonal to D^-1 z.
    const Index rest = matrix.values.size() - 1;
    const Matrix q = Eigen::HouseholderQR<Matrix>(Matrix(scaled)).householderQ();
    const Matrix basis = q.rightCols(rest);
    const Matrix projected = basis - scaled * (w.transpose() * basis) / s;
    left = matrix.u * basis;
    right = matrix.v * matrix.values.asDiagonal() * projected;
  }
  append(local, left, right);
  balance(local);
  return local;
}

}  // namespace sunder::robust
