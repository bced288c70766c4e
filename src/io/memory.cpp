#include "io/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "sunder/core/error.hpp"

namespace sunder {

std::size_t available_memory() {
  std::ifstream table("/proc/meminfo");
  std::string key;
  for (std::string rest; table >> key; std::getline(table, rest)) {
    std::size_t kibibytes = 0;
    if (key == "MemAvailable:" && table >> kibibytes) return kibibytes * 1024;
  }
  return std::numeric_limits<std::size_t>::max();
}

void require_memory(const Shape& shape, ScalarType type, const std::string& name) {
  const double needed = static_cast<double>(shape.entries()) * static_cast<double>(size_of(type));
  const auto available = static_cast<double>(available_memory());
  if (needed <= available) return;
  constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;
  throw InputError(fmt::format(
      "cannot load {}: its {} entries of type {} need {:.1f} GiB, and {:.1f} GiB of memory are "
      "available; take a part of it, or save it as .npy, which is read without being loaded",
      name, to_string(shape), to_string(type), needed / gibibyte, available / gibibyte));
}

Index slab_length(const Shape& shape, ScalarType type, int mode) {
  const Index one = shape[mode] > 0 ? shape.entries() / shape[mode] : 0;
  if (one == 0) return 1;
  const auto entries = static_cast<Index>(slab_bytes / size_of(type));
  return std::clamp<Index>(entries / one, 1, shape[mode]);
}

Shape with_extent(const Shape& shape, int mode, Index extent) {
  ModeIndices extents{};
  std::copy(shape.begin(), shape.end(), extents.begin());
  extents[static_cast<std::size_t>(mode)] = extent;
  return Shape(std::span<const Index>(extents.data(), static_cast<std::size_t>(shape.order())));
}

}  // namespace sunder
