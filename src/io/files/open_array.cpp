#include "io/files/open_array.hpp"

#include <fmt/format.h>

#include "io/files/mapped_file.hpp"
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

void require_no_name(const TensorLocation& location, std::string_view what) {
  if (location.name.empty()) return;
  throw InputError(
      fmt::format("cannot read '{}' of {}: {} holds one tensor without a name; leave out ':{}'",
                  location.name, location.path.string(), what, location.name));
}

std::unique_ptr<TensorFile> open_array(const TensorLocation& location) {
  require_readable_file(location.path);
  return open_by_content(location, Content::array);
}

}  // namespace sunder
