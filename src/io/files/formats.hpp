#pragma once
/// The formats that tensors are read from. A format is a folder of src/io, which defines the
/// function that opens its files, and a row of the table in formats.cpp.

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "sunder/io/tensor_file.hpp"

namespace sunder {

/// A file, and the name of a tensor in it.
struct TensorLocation {
  std::filesystem::path path;
  std::string name;  ///< of a variable or dataset; empty: not given
};

/// Opens a file that is known to be of the format. Throws InputError if it cannot be read.
using OpenTensorFile = std::unique_ptr<TensorFile>(const TensorLocation& location);

// Each is defined in the folder of its format.
OpenTensorFile open_npy;
OpenTensorFile open_mat;
OpenTensorFile open_hdf5;
OpenTensorFile open_video;

/// Whether a file is of a format, judged by what is in it (files/signatures.hpp).
using RecogniseFile = bool(const std::filesystem::path& path);
RecogniseFile is_video;  ///< as FFmpeg judges

enum class Content { array, video };

struct Format {
  std::string_view name;    ///< as messages call it
  std::string_view option;  ///< CMake's option that builds the format in; empty: it always is
  Content content = Content::array;
  RecogniseFile* recognises = nullptr;  ///< null if only a library that is not built in could tell
  OpenTensorFile* open = nullptr;       ///< null if this build does not have the format
};

/// In the order in which a file is tried. Formats that this build does not have are listed too.
std::span<const Format> tensor_formats();

/// Opens the file by the first format of this content that recognises it; null if none does. Throws
/// InputError if the file is damaged, or of a format that this build does not have.
std::unique_ptr<TensorFile> open_by_content(const TensorLocation& location, Content content);

/// Throws the InputError for a file of no known format. It lists the formats that this build reads.
[[noreturn]] void refuse_unknown_format(const std::filesystem::path& path);

}  // namespace sunder
