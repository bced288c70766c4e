#pragma once
/// The conditions of the paper's analysis as numbers. The paper states them in the form "O(...)";
/// here the constant is 1 throughout (docs/theory.md).
///
///   n     extent of a mode      r     rank of L          mu    incoherence of L
///   d     extent of a block     B     number of blocks   eta   overlap of two blocks over d
///   D     non-zeros of S in one fibre

#include <optional>
#include <vector>

#include "sunder/core/shape.hpp"
#include "sunder/theory/block_structure.hpp"
#include "sunder/theory/incoherence.hpp"

namespace sunder {

/// A measured value beside the largest value that the theory allows.
struct Margin {
  double measured = 0;
  double allowed = 0;

  bool holds() const { return measured <= allowed; }
  /// Returns measured / allowed: a ratio above 1 violates the condition. It is 0 when nothing was
  /// measured.
  double ratio() const { return measured == 0 ? 0 : measured / allowed; }
};

/// The three numbers on which all bounds depend.
struct ProblemSize {
  double n = 0;
  double rank = 0;
  double mu = 1;
};

/// Computes c = sqrt((n1 + n2 + n3) / (3 n1)), where n1 is the smallest extent: the factor by which
/// embedding an asymmetric tensor into a symmetric one raises incoherence (the paper's appendix).
/// It is 1 for a cube; any order is allowed.
double embedding_constant(const Shape& shape);

/// Takes n as the geometric mean of the extents, so that n^1.5 is the root of the number of entries
/// of a tensor of order 3, and multiplies mu by the embedding constant.
ProblemSize problem_size(const Shape& shape, int rank, double mu);

/// (S), eqn:S1: d <= (n / (r mu^3))^(2/3).
double allowed_block_extent(const ProblemSize& size);
/// (S), eqn:S1: B <= min(n^(2/3) r^(1/3), eta^-1.5). The second is infinite without overlap.
double allowed_block_count(const ProblemSize& size, double overlap);
/// Without block structure: D <= sqrt(n) / (r mu^3) for RTD, D <= n / (r mu^2) for matrix methods.
double allowed_fibre_tensor(const ProblemSize& size);
double allowed_fibre_matrix(const ProblemSize& size);

/// Condition (S) for a given support.
struct BlockConditions {
  bool structured = false;  ///< the support is a union of blocks
  Margin extent;            ///< d
  Margin count;             ///< B

  bool hold() const { return structured && extent.holds() && count.holds(); }
};
BlockConditions block_conditions(const ProblemSize& size, const BlockStructure& blocks);

/// Computes beta = 4 mu^3 r / n^1.5, the scale of the thresholds of Algorithm 1.
double threshold_scale(const ProblemSize& size);
/// Computes tau = 10 log(n beta ||T - S0|| / delta), the number of iterations of a stage of
/// Algorithm 1, at least 0; returns nullopt when the norm or delta is not positive.
std::optional<double> iterations_per_stage(const ProblemSize& size, double cleaned_norm,
                                           double delta);

/// The number of non-zeros in a fibre that is tolerated when blocks of the largest allowed extent
/// are placed at random: eta = max(d / n, 1 / sqrt(n)) and D = d B. For matrix methods only D
/// matters.
struct ToleratedSparsity {
  double extent = 0;  ///< d
  double blocks = 0;  ///< B
  double tensor = 0;  ///< D that RTD tolerates
  double matrix = 0;  ///< D that matrix methods tolerate

  double ratio() const { return tensor / matrix; }
};
ToleratedSparsity tolerated_sparsity(const ProblemSize& size);

/// Computes D_RTD / D_mat of the corollary on random block sparsity with mu = O(1): n^(1/6) r^(4/3)
/// for r < n^.25, and n^(5/12) r^(1/3) otherwise.
double tensor_advantage(double n, double rank);

struct Advantage {
  double n = 0;
  double rank = 0;
  double ratio = 0;
};
/// Combines every n with every rank that does not exceed it, in the given order.
std::vector<Advantage> advantage_table(const std::vector<double>& extents,
                                       const std::vector<double>& ranks);

}  // namespace sunder
