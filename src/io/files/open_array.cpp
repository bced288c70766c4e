#include "io/files/open_array.hpp"

#include <fmt/format.h>

#include <fstream>

#include "io/files/mapped_file.hpp"
#include "io/hdf5/hdf5_catalog.hpp"
#include "io/hdf5/hdf5_file.hpp"
#include "io/mat/mat_file.hpp"
#include "io/npy/npy_file.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace fs = std::filesystem;

TensorLocation split_location(const std::string& location) {
  std::error_code ignored;
  const std::size_t colon = location.rfind(':');
  if (colon == std::string::npos || fs::exists(location, ignored)) return {location, ""};
  const std::string path = location.substr(0, colon);
  if (!fs::exists(path, ignored)) return {location, ""};
  return {path, location.substr(colon + 1)};
}

namespace {

bool begins_with(const fs::path& path, std::string_view bytes) {
  std::ifstream file(path, std::ios::binary);
  std::string head(bytes.size(), '\0');
  return file.read(head.data(), static_cast<std::streamsize>(head.size())) && head == bytes;
}

}  // namespace

void require_no_name(const TensorLocation& location, std::string_view what) {
  if (location.name.empty()) return;
  throw InputError(
      fmt::format("cannot read '{}' of {}: {} holds one tensor without a name; leave out ':{}'",
                  location.name, location.path.string(), what, location.name));
}

std::unique_ptr<TensorFile> open_array(const TensorLocation& location) {
  const fs::path& path = location.path;
  require_readable_file(path);
  if (begins_with(path, "\x93NUMPY")) {
    require_no_name(location, "a .npy file");
    return std::make_unique<NpyFile>(path);
  }
  if (begins_with(path, "MATLAB 5.0 MAT-file") || begins_with(path, "MATLAB 7.3 MAT-file")) {
    return std::make_unique<MatFile>(path, location.name);
  }
  if (find_superblock(MappedFile(path).bytes()))
    return std::make_unique<Hdf5File>(path, location.name);
  return nullptr;
}

}  // namespace sunder
