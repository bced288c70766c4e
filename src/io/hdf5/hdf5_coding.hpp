#pragma once
/// Whether the numbers in a dataset are the values that they stand for. NetCDF files may store them
/// packed, as whole numbers with a scale, and may mark missing entries by a number of their own.

#include <string>

#include "io/hdf5/hdf5_handle.hpp"

namespace sunder {

/// Says how the attributes of a dataset code its values, as a part of a sentence; empty if the
/// numbers are the values, and missing ones, if any, are NaN.
std::string coding_of(hid_t dataset);

}  // namespace sunder
