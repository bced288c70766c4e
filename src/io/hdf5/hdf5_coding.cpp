#include "io/hdf5/hdf5_coding.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

namespace sunder {

namespace {

/// The first value of a numeric attribute; nothing if there is no such attribute.
std::optional<double> attribute(hid_t dataset, const char* name) {
  if (H5Aexists(dataset, name) <= 0) return std::nullopt;
  const Hdf5Handle found(H5Aopen(dataset, name, H5P_DEFAULT));
  const Hdf5Handle space(H5Aget_space(found.get()));
  const Hdf5Handle type(H5Aget_type(found.get()));
  const H5T_class_t kind = H5Tget_class(type.get());
  const bool single = H5Sget_simple_extent_npoints(space.get()) == 1;
  double value = 0;
  if (!single || (kind != H5T_INTEGER && kind != H5T_FLOAT) ||
      H5Aread(found.get(), H5T_NATIVE_DOUBLE, &value) < 0) {
    return std::nan("");  // it is there, and says something that we do not understand
  }
  return value;
}

}  // namespace

std::string coding_of(hid_t dataset) {
  const Hdf5Silence silence;
  const std::optional<double> scale = attribute(dataset, "scale_factor");
  const std::optional<double> offset = attribute(dataset, "add_offset");
  if (scale.value_or(1) != 1 || offset.value_or(0) != 0) {
    return fmt::format(
        "its values are packed, with a scale_factor of {:g} and an add_offset of {:g}",
        scale.value_or(1), offset.value_or(0));
  }
  for (const char* name : {"_FillValue", "missing_value"}) {
    const std::optional<double> mark = attribute(dataset, name);
    if (mark && !std::isnan(*mark)) {
      return fmt::format("its attribute {} says that {:g} stands for a missing entry", name, *mark);
    }
  }
  return {};
}

}  // namespace sunder
