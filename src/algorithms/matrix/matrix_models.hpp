#pragma once
/// Turns what matrix methods find into a CP model of the tensor's shape and an S at the tensor's
/// positions.

#include <vector>

#include "algorithms/matrix/flattening.hpp"
#include "sunder/core/cp_model.hpp"

namespace sunder {

/// Turns sum_i s_i u_i v_i^T of a flattening into components of the tensor. The column v_i is
/// itself a tensor V_i over the other modes, of any rank, and is cut into its fibres along the
/// longest of them; for order 3
///
///     s_i u_i (x) V_i = sum_j  s_i u_i o e_j o V_i(j,:),
///
/// so that a matrix of rank r becomes up to r n_2 components. Those of weight zero are left out.
/// The result is normalised, with the heaviest component first.
CpModel unflattened(const CpModel& matrix, const FlatteningLayout& layout);

/// The models of all slices in turn, each an order-2 model of its slice: for order 3
///
///     L = sum_k sum_i  s_ki u_ki o v_ki o e_k,
///
/// up to r n_3 components. Those of weight zero are left out. The result is normalised, with the
/// heaviest component first.
CpModel stacked(const std::vector<CpModel>& slices, const SliceLayout& layout);

/// Moves the entries of the matrix, or of each slice, to their positions in the tensor.
SparseTensor unflattened(const SparseTensor& matrix, const FlatteningLayout& layout);
SparseTensor stacked(const std::vector<SparseTensor>& slices, const SliceLayout& layout);

}  // namespace sunder
