#pragma once
/// The header of a .npy file, as numpy/lib/format.py describes it.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "sunder/core/scalar_type.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder {

struct NpyHeader {
  int major = 1;
  int minor = 0;
  std::string dtype;  ///< as in the file: "<f8"; the whole description for a structured type
  StorageOrder order = StorageOrder::c;
  Shape shape;
  std::size_t data_offset = 0;  ///< bytes before the first entry
};

/// Parses a header. Throws InputError, naming the file, for anything but a well-formed header of
/// version 1 to 3.
NpyHeader parse_npy_header(std::span<const std::byte> file, const std::string& name);

/// Formats a header of version 1.0, padded so that the entries start at a multiple of 64 bytes that
/// is not less than `least_bytes`.
std::string format_npy_header(std::string_view dtype, StorageOrder order, const Shape& shape,
                              std::size_t least_bytes = 0);

/// Returns the storage type for a NumPy dtype. Throws InputError that names the dtype and a remedy,
/// which ends with `afterwards`.
ScalarType scalar_type_of_dtype(const std::string& dtype, const std::string& name,
                                std::string_view afterwards = " and save it again");
/// Returns the NumPy dtype of a type, as in "<f8" for f64.
std::string_view dtype_of(ScalarType type);

}  // namespace sunder
