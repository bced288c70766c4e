#pragma once
/// Whether a tensor fits, and in what portions it is read when it need not.

#include <cstddef>
#include <filesystem>
#include <string>

#include "sunder/core/tensor_view.hpp"

namespace sunder {

/// Bytes that can be allocated without swapping, within the limits of the process (`ulimit -v`) and
/// of the control groups that it belongs to; the largest size_t where the system does not say.
std::size_t available_memory();

/// What a control group (version 2) and those above it, up to `root`, leave: the limit less what is
/// in use, where files that were read do not count. The largest size_t if there is no limit.
std::size_t group_headroom(const std::filesystem::path& root, const std::filesystem::path& group);

/// Throws InputError, naming the file, if a tensor needs more memory than is available or than can
/// be addressed.
void require_memory(const Shape& shape, ScalarType type, const std::string& name);

/// Size of the pieces in which TensorFile::scan reads.
inline constexpr std::size_t slab_bytes = std::size_t{64} << 20;

/// How many indices of `mode` make a slab of about slab_bytes; at least one.
Index slab_length(const Shape& shape, ScalarType type, int mode);

/// `shape` with another extent in one mode.
Shape with_extent(const Shape& shape, int mode, Index extent);

}  // namespace sunder
