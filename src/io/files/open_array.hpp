#pragma once
/// Opening files that hold arrays; their first bytes distinguish them from videos.

#include <memory>
#include <string>
#include <string_view>

#include "io/files/formats.hpp"

namespace sunder {

/// Splits FILE:NAME. If a file with a colon in its own name exists, the whole location is that
/// file.
TensorLocation split_location(const std::string& location);

/// Opens a file of any format that holds arrays; null if the file is of none of them. Throws
/// InputError if the file cannot be read, is damaged, or has a format that this build leaves out.
std::unique_ptr<TensorFile> open_array(const TensorLocation& location);

/// Throws InputError if the location names an array although `what` (the kind of file) has no
/// names.
void require_no_name(const TensorLocation& location, std::string_view what);

}  // namespace sunder
