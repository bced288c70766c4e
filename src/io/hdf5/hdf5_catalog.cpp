#include "io/hdf5/hdf5_catalog.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <string_view>

#include "io/files/mapped_file.hpp"
#include "io/files/signatures.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace {

herr_t collect_name(hid_t /*group*/, const char* name, const H5L_info_t* /*info*/,
                    void* names) noexcept {
  static_cast<std::vector<std::string>*>(names)->push_back(fmt::format("/{}", name));
  return 0;
}

std::vector<Index> extents_of(hid_t dataset) {
  const Hdf5Handle space(H5Dget_space(dataset));
  if (!space || H5Sget_simple_extent_type(space.get()) != H5S_SIMPLE) return {};
  const int order = H5Sget_simple_extent_ndims(space.get());
  if (order <= 0) return {};
  std::vector<hsize_t> extents(order);
  H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr);
  // Shape rejects an extent beyond the range of Index as too large.
  std::vector<Index> result;
  for (const hsize_t extent : extents) {
    result.push_back(static_cast<Index>(
        std::min<hsize_t>(extent, static_cast<hsize_t>(std::numeric_limits<Index>::max()))));
  }
  return result;
}

std::string class_name(H5T_class_t type_class) {
  switch (type_class) {
    case H5T_STRING:
      return "string";
    case H5T_COMPOUND:
      return "compound (several fields, or complex numbers)";
    case H5T_ENUM:
      return "enumeration (or bool)";
    case H5T_REFERENCE:
      return "reference";
    case H5T_VLEN:
      return "variable-length";
    default:
      return "not a number";
  }
}

void describe_type(hid_t dataset, Hdf5Entry& entry) {
  const Hdf5Handle type(H5Dget_type(dataset));
  const H5T_class_t type_class = type ? H5Tget_class(type.get()) : H5T_NO_CLASS;
  if (type_class != H5T_FLOAT && type_class != H5T_INTEGER) {
    entry.type_name = class_name(type_class);
    return;
  }
  const std::size_t bits = 8 * H5Tget_size(type.get());
  const bool is_unsigned = type_class == H5T_INTEGER && H5Tget_sign(type.get()) == H5T_SGN_NONE;
  const std::string kind = type_class == H5T_FLOAT ? "f" : is_unsigned ? "u" : "i";
  entry.type = parse_scalar_type(fmt::format("{}{}", kind, bits));
  entry.type_name = fmt::format("{}{}",
                                type_class == H5T_FLOAT ? "float"
                                : is_unsigned           ? "uint"
                                                        : "int",
                                bits);
}

}  // namespace

std::string hdf5_reason() {
  std::string reason = "unknown error";
  const auto keep_last = [](unsigned, const H5E_error2_t* error, void* out) noexcept -> herr_t {
    if (error->desc != nullptr) *static_cast<std::string*>(out) = error->desc;
    return 0;
  };
  // Walking downward ends at the innermost call, whose message is the most specific.
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep_last, &reason);
  return reason;
}

void require_no_driver(const std::filesystem::path& path) {
  const MappedFile map(path);
  const std::optional<std::size_t> begin = find_superblock(map.bytes());
  if (!begin || map.bytes().size() - *begin < 16) return;  // libhdf5 will report the error
  const std::span<const std::byte> block = map.bytes().subspan(*begin);
  const auto version = std::to_integer<std::size_t>(block[8]);
  if (version > 1) return;  // later versions have no driver block
  // The field follows the addresses of the base, the free space and the end.
  const auto width = std::to_integer<std::size_t>(block[13]);
  const std::size_t at = (version == 0 ? 24 : 28) + 3 * width;
  if (at + width > block.size()) return;
  const std::span<const std::byte> driver = block.subspan(at, width);
  if (std::all_of(driver.begin(), driver.end(), [](std::byte b) { return b == std::byte{0xff}; })) {
    return;
  }
  throw InputError(
      fmt::format("cannot read {}: it is one of several files that belong together, or damaged; "
                  "copy it into a single file with h5repack",
                  path.string()));
}

Hdf5Entry describe_dataset(hid_t dataset, std::string name) {
  Hdf5Entry entry;
  entry.name = std::move(name);
  entry.extents = extents_of(dataset);
  describe_type(dataset, entry);
  return entry;
}

std::vector<Hdf5Entry> list_datasets(const Hdf5Handle& file) {
  const Hdf5Silence silence;
  std::vector<std::string> names;
  H5Lvisit(file.get(), H5_INDEX_NAME, H5_ITER_INC, collect_name, &names);
  std::vector<Hdf5Entry> entries;
  for (const std::string& name : names) {
    const Hdf5Handle object(H5Oopen(file.get(), name.c_str(), H5P_DEFAULT));
    if (!object || H5Iget_type(object.get()) != H5I_DATASET) continue;
    entries.push_back(describe_dataset(object.get(), name));
  }
  return entries;
}

std::vector<Hdf5Entry> usable_entries(const std::vector<Hdf5Entry>& entries) {
  std::vector<Hdf5Entry> usable;
  std::copy_if(entries.begin(), entries.end(), std::back_inserter(usable),
               [](const Hdf5Entry& entry) { return entry.type && !entry.extents.empty(); });
  return usable;
}

std::string describe_datasets(const Hdf5Handle& file) {
  std::vector<std::string> parts;
  for (const Hdf5Entry& entry : list_datasets(file)) {
    parts.push_back(fmt::format("{}: {} {}", entry.name,
                                entry.extents.empty()
                                    ? std::string("single")
                                    : fmt::format("{}", fmt::join(entry.extents, " x ")),
                                entry.type_name));
  }
  return parts.empty() ? "it holds no dataset" : fmt::format("it holds {}", fmt::join(parts, ", "));
}

}  // namespace sunder
