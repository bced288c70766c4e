#pragma once
/// Matrix methods on tensors: a solver of one matrix, applied to a flattening or to every slice.

#include <array>
#include <functional>
#include <string_view>

#include "sunder/algorithms/decomposition.hpp"
#include "sunder/algorithms/options.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder {

/// The parts of one matrix, an order-2 view. L holds its singular vectors.
struct MatrixParts {
  Decomposition parts;
  double data_norm = 0;  ///< ||M||_F over the observed entries
};

/// A matrix without an observed entry has L = 0 and an empty S. `stream` separates the random
/// starts of several matrices of one run.
using MatrixSolver =
    std::function<MatrixParts(const TensorView& matrix, const RunOptions& run, std::uint64_t)>;

/// Applies the solver to the flattening along one mode. `method` is the name that messages give.
/// Throws InputError for a tensor that cannot be decomposed, OptionError for a mode it does not
/// have.
Decomposition decompose_flattening(const TensorView& tensor, const RunOptions& run,
                                   int flatten_mode, std::string_view method,
                                   const MatrixSolver& solver);

/// Applies the solver to every slice over two modes. Several threads call the solver at once.
/// Throws as decompose_flattening does.
Decomposition decompose_slices(const TensorView& tensor, const RunOptions& run,
                               const std::array<int, 2>& slice_modes, std::string_view method,
                               const MatrixSolver& solver);

}  // namespace sunder
