#pragma once
/// The low-rank part L = sum_i weight_i a_i o b_i o c_i ..., stored as factors and never densely.

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
  /// Takes one weight per component; factor m is extent_m x rank. Throws InputError if the sizes
  /// disagree.
  CpModel(Vector weights, std::vector<Matrix> factors);
  /// Returns the zero tensor, as a model of rank 0.
  static CpModel zero(const Shape& shape);

  int order() const { return static_cast<int>(factors_.size()); }
  int rank() const { return static_cast<int>(weights_.size()); }
  Shape shape() const;
  const Vector& weights() const { return weights_; }
  const std::vector<Matrix>& factors() const { return factors_; }
  const Matrix& factor(int mode) const { return factors_[mode]; }

  /// Scales every column to unit length and makes the weights positive; the sign goes into the last
  /// factor.
  void normalise();
  /// Sorts the components by their norms, largest first.
  void sort_by_weight();
  /// Returns a model of the first `rank` components.
  CpModel leading(int rank) const;

  double entry(std::span<const Index> index) const;
  double entry(std::initializer_list<Index> index) const {
    return entry(std::span<const Index>(index.begin(), index.size()));
  }
  /// Writes the entries begin .. begin + extents to `out`, last mode fastest.
  void evaluate(std::span<const Index> begin, const Shape& extents, std::span<double> out) const;

  /// Compute <this, other> and ||this||_F from the Gram matrices: O(n r^2), without forming L.
  double inner(const CpModel& other) const;
  double norm() const;
  /// Computes ||this - other||_F, accurate to the rounding of the larger of the two even when they
  /// nearly agree (the Gram formula would lose half the digits).
  double distance(const CpModel& other) const;

 private:
  Vector weights_;
  std::vector<Matrix> factors_;
};

/// Returns the model [a, b] with the components of both, which represents a + b.
CpModel concatenate(const CpModel& a, const CpModel& b);

/// Returns the column-wise Kronecker product: row (i, j), j fastest, is a.row(i) * b.row(j).
Matrix khatri_rao(const Matrix& a, const Matrix& b);

}  // namespace sunder
