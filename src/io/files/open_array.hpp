#pragma once
/// Arrays in files, told from videos by their first bytes.

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "sunder/io/tensor_file.hpp"

namespace sunder {

struct TensorLocation {
  std::filesystem::path path;
  std::string name;  ///< of a variable or dataset; empty: not given
};

/// A file whose own name has a colon wins over a name within a file.
TensorLocation split_location(const std::string& location);

/// A .npy, .mat or HDF5 file; nothing if it is none of these. Throws InputError if the file cannot
/// be read or is one of these and damaged.
std::unique_ptr<TensorFile> open_array(const TensorLocation& location);

/// Throws InputError if a name is given within a file that has no names; `what` is that file.
void require_no_name(const TensorLocation& location, std::string_view what);

}  // namespace sunder
