#pragma once
/// The slices of a tensor in a file along its last mode, in bounded memory for every format.

#include <functional>

#include "sunder/io/tensor_file.hpp"

namespace sunder {

/// Returns the slice at index `at` of the last mode; the result does not have that mode.
TensorView last_mode_slice(const TensorView& tensor, Index at);

/// Calls visit(slice, number) for every slice in order, until it returns `cancel`. A file whose
/// last mode is slowest is read once; others are read once for every 64 MiB of slices.
void scan_slices(const TensorFile& file,
                 const std::function<Continue(const TensorView& slice, Index number)>& visit);

}  // namespace sunder
