#pragma once
/// The first bytes of files, by which formats are told apart. No library of a format is needed.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>

namespace sunder {

bool is_npy(const std::filesystem::path& path);
bool is_mat(const std::filesystem::path& path);
bool is_hdf5(const std::filesystem::path& path);

/// Where the superblock of an HDF5 file begins: at 0 or, behind a user block, at a power of two
/// from 512 on.
std::optional<std::size_t> find_superblock(std::span<const std::byte> file);

}  // namespace sunder
