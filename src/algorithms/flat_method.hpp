#pragma once
/// What all matrix methods on a flattening share: the matrix, and the way back to the tensor.

#include <functional>
#include <string_view>

#include "sunder/algorithms/decomposition.hpp"
#include "sunder/algorithms/options.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder {

/// Decomposes an order-2 view.
using MatrixMethod = std::function<Decomposition(const TensorView& matrix)>;

/// The parts of the flattening along `mode`, in the shape of the tensor. Throws InputError for a
/// tensor that cannot be decomposed, OptionError for a rank or a mode out of range.
Decomposition on_flattening(const TensorView& tensor, const RunOptions& run, int mode,
                            std::string_view name, const MatrixMethod& method);

}  // namespace sunder
