#pragma once
/// The low-rank part: L = sum_i weight_i a_i o b_i o c_i ..., held as factors, never densely.

#include <Eigen/Core>
#include <span>
#include <vector>

#include "sunder/core/shape.hpp"

namespace sunder {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

class CpModel {
 public:
  CpModel() = default;
  /// One weight per component; factor m is extent_m x rank. Throws InputError if they disagree.
  CpModel(Vector weights, std::vector<Matrix> factors);
  /// The zero tensor, as a model of rank 0.
  static CpModel zero(const Shape& shape);

  int order() const { return static_cast<int>(factors_.size()); }
  int rank() const { return static_cast<int>(weights_.size()); }
  Shape shape() const;
  const Vector& weights() const { return weights_; }
  const std::vector<Matrix>& factors() const { return factors_; }
  const Matrix& factor(int mode) const { return factors_[static_cast<std::size_t>(mode)]; }

  /// Columns of unit length; weights positive, the sign going into the last factor.
  void normalise();
  /// Components from the heaviest to the lightest, by the norm of each.
  void sort_by_weight();
  /// The first components only.
  CpModel leading(int rank) const;

  double entry(std::span<const Index> index) const;
  double entry(std::initializer_list<Index> index) const {
    return entry(std::span<const Index>(index.begin(), index.size()));
  }
  /// The entries begin .. begin + extents, last mode fastest, into `out`.
  void evaluate(std::span<const Index> begin, const Shape& extents, std::span<double> out) const;

  /// <this, other> and ||this||_F from the Grams: O(n r^2), no entry of L is formed.
  double inner(const CpModel& other) const;
  double norm() const;
  /// ||this - other||_F, accurate to rounding of the larger of the two even when they nearly agree
  /// (the Gram formula would lose half the digits).
  double distance(const CpModel& other) const;

 private:
  Vector weights_;
  std::vector<Matrix> factors_;
};

/// [a, b]: the components of both, so that the result is a + b.
CpModel concatenate(const CpModel& a, const CpModel& b);

/// Column-wise Kronecker product: row (i, j), j fastest, is a.row(i) * b.row(j).
Matrix khatri_rao(const Matrix& a, const Matrix& b);

}  // namespace sunder
