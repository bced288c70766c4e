#pragma once
/// A dense tensor as a matrix along one mode, for the proximal steps of convex methods: singular
/// values made smaller, or only the largest kept. No entry is moved.

#include <span>

#include "sunder/core/cp_model.hpp"

namespace sunder {

/// A matrix of low rank, left right^T; the columns of `left` are orthonormal.
struct LowRankUnfolding {
  Matrix left;   ///< rows x rank
  Matrix right;  ///< columns x rank, orthogonal
};

/// The unfolding A of a tensor of doubles in C order: its rows are the indices of one mode, its
/// columns combinations of indices of all the others, of which the last listed runs fastest.
class Unfolding {
 public:
  /// `threads` = 0 means one for each processor. Their number never changes a bit of the result.
  Unfolding(const Shape& shape, int mode, int threads);

  Index rows() const { return rows_; }
  Index columns() const { return outer_ * inner_; }

  /// A A^T: one sweep over the tensor, rows flops for each entry.
  Matrix gram(std::span<const double> tensor) const;
  /// A^T basis: one sweep, 2 k flops for each entry.
  Matrix times(std::span<const double> tensor, const Matrix& basis) const;
  /// A = left right^T: one sweep, 2 k flops for each entry.
  void assemble(const LowRankUnfolding& parts, std::span<double> tensor) const;

 private:
  template <class Pointer, class Visitor>
  void visit_chunk(Pointer data, Index chunk, Visitor&& visit) const;
  template <class Work>
  void for_each_chunk(Work&& work) const;

  // In C order the tensor is an array of outer x rows x inner.
  Index outer_ = 1;
  Index rows_ = 1;
  Index inner_ = 1;
  int threads_ = 1;
  Index chunks_ = 1;
};

/// The largest singular value. One sweep.
double spectral_norm(const Unfolding& unfolding, std::span<const double> tensor);

/// Singular value thresholding: sum_i max(sigma_i - threshold, 0) u_i v_i^T of the unfolding
/// sum_i sigma_i u_i v_i^T, the largest first. Two sweeps.
LowRankUnfolding shrunk(const Unfolding& unfolding, std::span<const double> tensor,
                        double threshold);

/// The best approximation of at most this rank. Two sweeps.
LowRankUnfolding truncated(const Unfolding& unfolding, std::span<const double> tensor, Index rank);

}  // namespace sunder
