#pragma once
/// The slices of a tensor in a file along its last mode, in bounded memory whatever the format.

#include <functional>

#include "sunder/io/tensor_file.hpp"

namespace sunder {

/// Index `at` of the last mode, which the result does not have.
TensorView last_mode_slice(const TensorView& tensor, Index at);

/// Calls visit(slice, number) for every slice in order, until it answers `cancel`. Where the file
/// has the last mode slowest it is read once; otherwise once for every 64 MiB of slices.
void scan_slices(const TensorFile& file,
                 const std::function<Continue(const TensorView& slice, Index number)>& visit);

}  // namespace sunder
