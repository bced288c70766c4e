#pragma once
/// Whether somebody wrote the entries of a dataset. The library gives the fill value, usually zero,
/// for those that nobody wrote, and that is no data.

#include <string>

#include "io/hdf5/hdf5_handle.hpp"
#include "sunder/core/shape.hpp"

namespace sunder {

/// Says what is not written, as a part of a sentence; empty if everything is, or if what is not
/// reads as NaN, which means missing.
std::string unwritten_part(hid_t dataset, const Shape& shape);

}  // namespace sunder
