#include "io/hdf5/hdf5_written.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <vector>

namespace sunder {

namespace {

/// Entries that nobody wrote read as NaN, and count as missing.
bool fills_with_nan(hid_t properties) {
  double fill = 0;
  H5D_fill_value_t defined = H5D_FILL_VALUE_UNDEFINED;
  return H5Pfill_value_defined(properties, &defined) >= 0 &&
         defined == H5D_FILL_VALUE_USER_DEFINED &&
         H5Pget_fill_value(properties, H5T_NATIVE_DOUBLE, &fill) >= 0 && std::isnan(fill);
}

std::string unwritten_chunks(hid_t dataset, hid_t properties, const Shape& shape) {
  std::array<hsize_t, H5S_MAX_RANK> extents{};
  hsize_t written = 0;
  const Hdf5Handle space(H5Dget_space(dataset));
  if (H5Pget_chunk(properties, H5S_MAX_RANK, extents.data()) != shape.order() ||
      H5Dget_num_chunks(dataset, space.get(), &written) < 0) {
    return "the library cannot tell which of its chunks were written";
  }
  hsize_t all = 1;
  for (int m = 0; m < shape.order(); ++m) {
    const auto extent = static_cast<hsize_t>(shape[m]);
    all *= (extent + extents[m] - 1) / extents[m];
  }
  if (written >= all) return {};
  return fmt::format("{} of its {} chunks were never written", all - written, all);
}

/// A name that a list of mappings holds.
template <class Get>
std::string name_of(const Get& get) {
  const ssize_t length = get(nullptr, 0);
  if (length <= 0) return {};
  std::vector<char> text(static_cast<std::size_t>(length) + 1);
  get(text.data(), text.size());
  return text.data();
}

/// Whether the source of a mapping can be opened, where the library looks for it.
bool is_there(hid_t file, const std::filesystem::path& folder, const std::string& source,
              const std::string& name) {
  if (source == ".")
    return static_cast<bool>(Hdf5Handle(H5Dopen2(file, name.c_str(), H5P_DEFAULT)));
  for (const std::filesystem::path& path : {std::filesystem::path(source), folder / source}) {
    const Hdf5Handle other(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    if (!other) continue;
    return static_cast<bool>(Hdf5Handle(H5Dopen2(other.get(), name.c_str(), H5P_DEFAULT)));
  }
  return false;
}

std::string unwritten_sources(hid_t dataset, hid_t properties, const Shape& shape) {
  const Hdf5Handle file(H5Iget_file_id(dataset));
  const std::string own =
      name_of([&](char* to, std::size_t room) { return H5Fget_name(file.get(), to, room); });
  std::size_t count = 0;
  if (H5Pget_virtual_count(properties, &count) < 0) return "the library cannot tell its sources";
  hssize_t mapped = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const std::string source = name_of([&](char* to, std::size_t room) {
      return H5Pget_virtual_filename(properties, k, to, room);
    });
    const std::string name = name_of([&](char* to, std::size_t room) {
      return H5Pget_virtual_dsetname(properties, k, to, room);
    });
    if (!is_there(file.get(), std::filesystem::path(own).parent_path(), source, name)) {
      return fmt::format("its source '{}' in {} is not there", name,
                         source == "." ? "the same file" : source);
    }
    const Hdf5Handle part(H5Pget_virtual_vspace(properties, k));
    const hssize_t points = H5Sget_select_npoints(part.get());
    if (points < 0) return "the library cannot tell which of its entries have a source";
    mapped += points;
  }
  if (mapped >= shape.entries()) return {};
  return fmt::format("{} of its {} entries have no source", shape.entries() - mapped,
                     shape.entries());
}

}  // namespace

std::string unwritten_part(hid_t dataset, const Shape& shape) {
  const Hdf5Silence silence;
  const Hdf5Handle properties(H5Dget_create_plist(dataset));
  if (!properties || shape.entries() == 0 || fills_with_nan(properties.get())) return {};
  switch (H5Pget_layout(properties.get())) {
    case H5D_CHUNKED:
      return unwritten_chunks(dataset, properties.get(), shape);
    case H5D_VIRTUAL:
      return unwritten_sources(dataset, properties.get(), shape);
    case H5D_CONTIGUOUS:
      return H5Pget_external_count(properties.get()) == 0 && H5Dget_storage_size(dataset) == 0
                 ? "nothing was ever written to it"
                 : "";
    default:
      return {};  // compact: stored with its description
  }
}

}  // namespace sunder
