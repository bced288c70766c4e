#pragma once
/// Gathering: reads selected entries of a tensor, in memory order. A model with r (n1 + n2 + n3)
/// unknowns does not need all of the entries.

#include <span>
#include <vector>

#include "engine/source/source.hpp"
#include "sunder/core/communicator.hpp"
#include "sunder/core/cp_model.hpp"
#include "sunder/core/dense_tensor.hpp"

namespace sunder {

/// Returns the sub-tensor at the given indices of each mode, which must be sorted and within the
/// shape; an empty list selects all indices of its mode. The result is f64 or f32, contiguous in C
/// order, and missing entries are NaN. `threads` works as in pass(). Throws InputError for indices
/// that do not fit.
DenseTensor gather(const TensorView& tensor, const std::vector<std::vector<Index>>& indices,
                   ScalarType type, int threads);

/// Returns a matrix whose column c is the fibre along `mode` at samples[c]; the entry of that
/// multi-index for `mode` itself is ignored. Row i is index rows[i] of the mode, or index i if
/// `rows` is empty. Samples may come in any order and repeat; the function walks memory in its own
/// order.
Matrix gather_fibres(const TensorView& tensor, int mode, std::span<const ModeIndices> samples,
                     std::span<const Index> rows, int threads);

/// The same for a tensor that is not in memory. Each process reads a part, in storage order, and
/// all processes receive the whole result.
DenseTensor gather(Source& source, const Communicator& communicator,
                   const std::vector<std::vector<Index>>& indices, ScalarType type);
Matrix gather_fibres(Source& source, const Communicator& communicator, int mode,
                     std::span<const ModeIndices> samples, std::span<const Index> rows);
/// Returns single entries; samples may come in any order.
std::vector<double> gather_entries(Source& source, const Communicator& communicator,
                                   std::span<const ModeIndices> samples);

}  // namespace sunder
