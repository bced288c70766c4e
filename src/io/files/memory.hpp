#pragma once
/// Memory limits, and the size of the pieces in which files are read.

#include <cstddef>
#include <filesystem>
#include <string>

#include "sunder/core/tensor_view.hpp"

namespace sunder {

/// Returns the number of bytes that can be allocated without swapping, within the limits of the
/// process (`ulimit -v`) and of its control groups; the largest size_t if the system does not
/// report them.
std::size_t available_memory();

/// Returns the memory that a control group (version 2) and its ancestors up to `root` leave: the
/// limit minus the use, where cached files do not count. Returns the largest size_t if there is no
/// limit.
std::size_t group_headroom(const std::filesystem::path& root, const std::filesystem::path& group);

/// Throws InputError, naming the file, if a tensor needs more memory than is available or
/// addressable.
void require_memory(const Shape& shape, ScalarType type, const std::string& name);

/// Size of the pieces that TensorFile::scan reads.
inline constexpr std::size_t slab_bytes = std::size_t{64} << 20;

/// Returns how many indices of `mode` make a slab of about slab_bytes; at least one.
Index slab_length(const Shape& shape, ScalarType type, int mode);

/// Returns `shape` with another extent in one mode.
Shape with_extent(const Shape& shape, int mode, Index extent);

}  // namespace sunder
