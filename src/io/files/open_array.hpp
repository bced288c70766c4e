#pragma once
/// Opening files that hold arrays; their first bytes distinguish them from videos.

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "sunder/io/tensor_file.hpp"

namespace sunder {

struct TensorLocation {
  std::filesystem::path path;
  std::string name;  ///< name of a variable or dataset; may be empty
};

/// Splits FILE:NAME. If a file with a colon in its own name exists, the whole location is that
/// file.
TensorLocation split_location(const std::string& location);

/// Opens a .npy, .mat or HDF5 file; returns null for any other format. Throws InputError if the
/// file cannot be read or is damaged.
std::unique_ptr<TensorFile> open_array(const TensorLocation& location);

/// Throws InputError if the location names an array although `what` (the kind of file) has no
/// names.
void require_no_name(const TensorLocation& location, std::string_view what);

}  // namespace sunder
