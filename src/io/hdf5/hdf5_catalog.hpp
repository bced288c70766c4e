#pragma once
/// The datasets of an HDF5 file.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/hdf5/hdf5_handle.hpp"
#include "sunder/core/scalar_type.hpp"
#include "sunder/core/shape.hpp"

namespace sunder {

/// Throws InputError if the file has a driver block. libhdf5 reads as many bytes of it as the block
/// itself claims, up to 4 GiB beyond the end of a small file. Only a tensor that is spread over
/// several files has one.
void require_no_driver(const std::filesystem::path& path);

struct Hdf5Entry {
  std::string name;                ///< full path
  std::vector<Index> extents;      ///< empty for a scalar
  std::optional<ScalarType> type;  ///< nullopt for a type that cannot be read
  std::string type_name;           ///< "float64", "int64", "compound", ...
};

Hdf5Entry describe_dataset(hid_t dataset, std::string name);

/// Lists every dataset of the file, sorted by name.
std::vector<Hdf5Entry> list_datasets(const Hdf5Handle& file);
/// Returns the datasets that can be opened as tensors.
std::vector<Hdf5Entry> usable_entries(const std::vector<Hdf5Entry>& entries);
/// Describes the contents, as in "it holds /a: 3 x 4 float64, /b: 5 int64".
std::string describe_datasets(const Hdf5Handle& file);

}  // namespace sunder
