#include "io/files/memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "sunder/core/error.hpp"

namespace sunder {

namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

/// Returns the number after `key` in a table of keys and numbers, or `missing` if it is not there.
std::size_t table_entry(const std::filesystem::path& path, const std::string& key,
                        std::size_t missing) {
  std::ifstream table(path);
  std::string word;
  for (std::string rest; table >> word; std::getline(table, rest)) {
    std::size_t number = 0;
    if (word == key && table >> number) return number;
  }
  return missing;
}

std::size_t number_in(const std::filesystem::path& path, std::size_t missing) {
  std::ifstream file(path);
  std::size_t number = 0;
  return file >> number ? number : missing;  // "max" is not a number
}

/// Returns the path after "0::" in /proc/self/cgroup.
std::filesystem::path own_group() {
  std::ifstream table("/proc/self/cgroup");
  for (std::string line; std::getline(table, line);) {
    if (line.starts_with("0::/")) return line.substr(4);
  }
  return {};
}

/// Returns what `ulimit -v` leaves of the address space.
std::size_t address_headroom() {
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
  const std::size_t used = 1024 * table_entry("/proc/self/status", "VmSize:", 0);
  return limit.rlim_cur - std::min<std::size_t>(limit.rlim_cur, used);
}

}  // namespace

std::size_t group_headroom(const std::filesystem::path& root, const std::filesystem::path& group) {
  std::size_t least = unlimited;
  for (std::filesystem::path path = group;; path = path.parent_path()) {
    const std::filesystem::path folder = root / path;
    const std::size_t limit = number_in(folder / "memory.max", unlimited);
    if (limit != unlimited) {
      const std::size_t used = number_in(folder / "memory.current", 0);
      const std::size_t files = table_entry(folder / "memory.stat", "inactive_file", 0);
      const std::size_t taken = used - std::min(used, files);
      least = std::min(least, limit - std::min(limit, taken));
    }
    if (path.empty()) return least;
  }
}

std::size_t available_memory() {
  const std::size_t kibibytes = table_entry("/proc/meminfo", "MemAvailable:", unlimited / 1024);
  return std::min(
      {kibibytes * 1024, group_headroom("/sys/fs/cgroup", own_group()), address_headroom()});
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
  extents[mode] = extent;
  return Shape(std::span<const Index>(extents.data(), static_cast<std::size_t>(shape.order())));
}

}  // namespace sunder
