// Two random contractions of all modes but two give matrices
//     M = A D B',  N = A E B'      D, E diagonal,
// so that the eigenvectors of M N^-1 = A D E^-1 A^-1 are the components in one of the modes, and
// B' = D^-1 A^-1 M has those of the other.
#include "algorithms/convex/jennrich.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <numeric>

#include "algorithms/cp/cp_als.hpp"
#include "core/dense.hpp"

namespace sunder {

namespace {

Matrix random_matrix(Index rows, Index columns, Rng& rng) {
  return Matrix::NullaryExpr(rows, columns, [&] { return rng.normal(); });
}

/// Orthonormal bases of the modes, of `rank` columns or as many as the mode is long: the leading
/// singular vectors of products with random vectors.
std::vector<Matrix> bases_of_modes(TensorOperator& tensor, int rank, Rng& rng) {
  constexpr Index spare = 5;
  std::vector<Matrix> probe;
  for (const Index extent : tensor.shape()) {
    probe.push_back(random_matrix(extent, rank + spare, rng));
  }
  std::vector<Matrix> bases = tensor.mttkrps(probe, all_modes(tensor.shape().order()));
  for (Matrix& basis : bases) {
    const Matrix u = jacobi_svd(basis, SingularVectors::left).u;
    basis = u.leftCols(std::min<Index>(rank, u.cols()));
  }
  return bases;
}

/// Contracts every mode but `row` and `column` with a random vector.
Matrix random_contraction(const TensorView& small, int row, int column, Rng& rng) {
  const Shape& shape = small.shape();
  std::vector<Vector> weights;
  for (const Index extent : shape) weights.emplace_back(random_matrix(extent, 1, rng));
  Matrix sum = Matrix::Zero(shape[row], shape[column]);
  for (Index position = 0; position < shape.entries(); ++position) {
    const ModeIndices index = shape.unravel(position);
    double product =
        small(std::span<const Index>(index.data(), static_cast<std::size_t>(shape.order())));
    for (int mode = 0; mode < shape.order(); ++mode) {
      const auto m = static_cast<std::size_t>(mode);
      if (mode != row && mode != column) product *= weights[m][index[m]];
    }
    sum(index[row], index[column]) += product;
  }
  return sum;
}

/// Replaces the factors of two modes, both as long as the rank, by the result of the
/// diagonalisation.
void diagonalise(const TensorView& small, int row, int column, std::vector<Matrix>& factors,
                 Rng& rng) {
  const Matrix m = random_contraction(small, row, column, rng);
  const Matrix n = random_contraction(small, row, column, rng);
  const auto found = common_components(m, n);
  if (!found) return;  // too far from a model of this rank
  factors[row] = found->first;
  factors[column] = found->second;
}

}  // namespace

std::optional<std::pair<Matrix, Matrix>> common_components(const Matrix& m, const Matrix& n) {
  const Eigen::FullPivLU<Matrix> solver(n.transpose());
  if (!solver.isInvertible()) return std::nullopt;
  const Matrix quotient = solver.solve(m.transpose()).transpose();  // M N^-1
  const Eigen::EigenSolver<Matrix> eigen(quotient);
  const Matrix a = eigen.eigenvectors().real();
  const Eigen::FullPivLU<Matrix> inverse(a);
  if (!inverse.isInvertible()) return std::nullopt;  // complex pairs have the same real part
  return std::pair<Matrix, Matrix>{a, inverse.solve(m).transpose()};
}

CpModel jennrich_start(TensorOperator& tensor, int rank, Rng& rng) {
  const std::vector<Matrix> bases = bases_of_modes(tensor, rank, rng);
  const DenseTensor small = compressed(tensor, bases);
  std::vector<int> modes(bases.size());
  std::iota(modes.begin(), modes.end(), 0);
  std::stable_sort(modes.begin(), modes.end(),
                   [&](int a, int b) { return small.shape()[a] > small.shape()[b]; });
  std::vector<Matrix> factors =
      with_random_components(CpModel::zero(small.shape()), rank, rng).factors();
  if (small.shape().order() > 2 && small.shape()[modes[1]] == rank) {
    diagonalise(small.view(), modes[0], modes[1], factors, rng);
  }
  Engine engine(small.view(), 1);
  const CpModel nothing = CpModel::zero(small.shape());
  CleanedTensor entries(engine, nothing, Rule::keep_all());
  // The two modes that are known determine the others: at once if there is one, else in turns.
  for (int sweep = 0; sweep < (modes.size() > 3 ? 30 : 1); ++sweep) {
    for (std::size_t k = 2; k < modes.size(); ++k) {
      factors[modes[k]] = best_factor(entries, factors, modes[k]);
    }
  }
  const CpModel start = cp_als(entries, CpModel(Vector::Ones(rank), std::move(factors)), {});
  std::vector<Matrix> lifted;
  for (std::size_t mode = 0; mode < bases.size(); ++mode) {
    lifted.emplace_back(bases[mode] * start.factors()[mode]);
  }
  return {start.weights(), std::move(lifted)};
}

}  // namespace sunder
