#pragma once
/// Parts of a tensor, read in the order of its memory: a model with r (n1 + n2 + n3) unknowns does
/// not need all of its entries.

#include <span>
#include <vector>

#include "engine/source/source.hpp"
#include "sunder/core/communicator.hpp"
#include "sunder/core/cp_model.hpp"
#include "sunder/core/dense_tensor.hpp"

namespace sunder {

/// The sub-tensor at the given indices of each mode, sorted and within the shape; an empty list
/// stands for all indices of its mode. The result is f64 or f32 and contiguous in C order; missing
/// entries are NaN. Threads as in pass(). Throws InputError for indices that do not fit.
DenseTensor gather(const TensorView& tensor, const std::vector<std::vector<Index>>& indices,
                   ScalarType type, int threads);

/// Column c of the result is the fibre along `mode` at samples[c], a multi-index whose entry for
/// `mode` is not looked at; row i is index rows[i] of the mode, all of them if `rows` is empty. The
/// samples may come in any order and repeat; memory is walked in its own.
Matrix gather_fibres(const TensorView& tensor, int mode, std::span<const ModeIndices> samples,
                     std::span<const Index> rows, int threads);

/// The same from wherever the tensor is: in the order of its storage, each process a part, all of
/// them with the whole result.
DenseTensor gather(Source& source, const Communicator& communicator,
                   const std::vector<std::vector<Index>>& indices, ScalarType type);
Matrix gather_fibres(Source& source, const Communicator& communicator, int mode,
                     std::span<const ModeIndices> samples, std::span<const Index> rows);
/// Single entries, in any order.
std::vector<double> gather_entries(Source& source, const Communicator& communicator,
                                   std::span<const ModeIndices> samples);

}  // namespace sunder
