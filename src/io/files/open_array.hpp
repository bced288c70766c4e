#pragma once
/// Arrays in files, told from videos by their first bytes.

#include <memory>
#include <string>
#include <string_view>

#include "io/files/formats.hpp"

namespace sunder {

/// A file whose own name has a colon wins over a name within a file.
TensorLocation split_location(const std::string& location);

/// Opens a file of any format that holds arrays; null if the file is of none of them. Throws
/// InputError if the file cannot be read, is damaged, or has a format that this build leaves out.
std::unique_ptr<TensorFile> open_array(const TensorLocation& location);

/// Throws InputError if a name is given within a file that has no names; `what` is that file.
void require_no_name(const TensorLocation& location, std::string_view what);

}  // namespace sunder
