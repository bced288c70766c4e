#pragma once
/// J'HJ and J'QJ of a CP model, added up while the data are read: H holds the weights of the
/// entries, and Q the squares of their scores.
///
/// The unknowns are the rows of all factors, mode by mode, row by row. For an entry in the rows
/// a, b, c, the row of J is (b c, a c, a b), products by component.

#include "algorithms/robust_cp/core/sampling.hpp"
#include "algorithms/robust_cp/noise/model/likelihood.hpp"

namespace sunder::robust {

class NormalEquations {
 public:
  explicit NormalEquations(const Factors& factors);

  /// Adds a block of the tensor whose entries have these residuals and weights.
  void add(const DenseCore& block, const IndexSets& sets, const Entries& residuals,
           const EntryWeights& weights, const NoiseModel& noise);

  /// Flops that adding all entries takes.
  static double flops(const Shape& shape, Index rank);

  Index unknowns() const { return first_.back(); }
  /// Where the unknowns of a row begin.
  Index at(int mode, Index row) const { return first_[mode] + row * rank_; }

  Matrix curvature;     ///< J'HJ
  Matrix scatter;       ///< J'QJ
  double observed = 0;  ///< entries
  double inliers = 0;   ///< the sum of P(inlier)

 private:
  struct Fibre;
  void add_fibre(const Fibre& fibre, const std::vector<Index>& columns);

  const Factors& factors_;
  Index rank_;
  std::vector<Index> first_;  ///< the first unknown of each mode, and their number
};

}  // namespace sunder::robust
