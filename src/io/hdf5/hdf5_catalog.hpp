#pragma once
/// What an HDF5 file holds.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/hdf5/hdf5_handle.hpp"
#include "sunder/core/scalar_type.hpp"
#include "sunder/core/shape.hpp"

namespace sunder {

/// libhdf5 reads as much of a driver's block as the block says, up to 4 GiB from behind the end of
/// a small file. Only a tensor that is spread over several files has one. Throws InputError.
void require_no_driver(const std::filesystem::path& path);

struct Hdf5Entry {
  std::string name;                ///< full path
  std::vector<Index> extents;      ///< empty for a scalar
  std::optional<ScalarType> type;  ///< nothing if it is none that we read
  std::string type_name;           ///< "float64", "int64", "compound", ...
};

Hdf5Entry describe_dataset(hid_t dataset, std::string name);

/// Every dataset of the file, in the order of their names.
std::vector<Hdf5Entry> list_datasets(const Hdf5Handle& file);
/// Those of them that can be opened as tensors.
std::vector<Hdf5Entry> usable_entries(const std::vector<Hdf5Entry>& entries);
/// "it holds /a: 3 x 4 float64, /b: 5 int64".
std::string describe_datasets(const Hdf5Handle& file);

}  // namespace sunder
