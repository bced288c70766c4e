#include "core/dense.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>

namespace sunder {
namespace {

template <class Solver>
Svd svd_by(const Matrix& matrix, SingularVectors wanted) {
  const bool left = wanted == SingularVectors::left || wanted == SingularVectors::both;
  const bool right = wanted == SingularVectors::right || wanted == SingularVectors::both;
  const Solver solver(matrix, static_cast<unsigned>((left ? Eigen::ComputeThinU : 0) |
                                                    (right ? Eigen::ComputeThinV : 0)));
  Svd svd;
  svd.values = solver.singularValues();
  if (left) svd.u = solver.matrixU();
  if (right) svd.v = solver.matrixV();
  return svd;
}

Matrix triangle_of(const Eigen::HouseholderQR<Matrix>& qr) {
  const Index k = std::min(qr.rows(), qr.cols());
  return qr.matrixQR().topRows(k).triangularView<Eigen::Upper>();
}

}  // namespace

Svd thin_svd(const Matrix& matrix, SingularVectors wanted) {
  return svd_by<Eigen::BDCSVD<Matrix>>(matrix, wanted);
}

Svd jacobi_svd(const Matrix& matrix, SingularVectors wanted) {
  return svd_by<Eigen::JacobiSVD<Matrix>>(matrix, wanted);
}

SymmetricEigen symmetric_eigen(const Matrix& matrix) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(matrix);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Vector symmetric_eigenvalues(const Matrix& matrix) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(matrix, Eigen::EigenvaluesOnly).eigenvalues();
}

Qr thin_qr(const Matrix& matrix) {
  const Eigen::HouseholderQR<Matrix> qr(matrix);
  return {qr.householderQ() * Matrix::Identity(qr.rows(), std::min(qr.rows(), qr.cols())),
          triangle_of(qr)};
}

Matrix qr_triangle(const Matrix& matrix) {
  return triangle_of(Eigen::HouseholderQR<Matrix>(matrix));
}

}  // namespace sunder
