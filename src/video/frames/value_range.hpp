#pragma once
/// The least and the greatest entry of a tensor in a file.

#include <string>

#include "sunder/io/tensor_file.hpp"

namespace sunder {

struct ValueRange {
  double least;
  double most;
};

/// Reads everything once. Throws InputError that says where, if an entry is NaN or infinite.
/// `name` is for messages.
ValueRange find_value_range(const TensorFile& file, const std::string& name);

}  // namespace sunder
