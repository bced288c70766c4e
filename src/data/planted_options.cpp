#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/require_option.hpp"
#include "sunder/data/planted.hpp"

namespace sunder {

namespace {

void require_planted_shape(const PlantedOptions& options) {
  const Shape& shape = options.shape;
  const bool empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
  require_option(shape.order() >= min_order && !empty, "shape",
                 fmt::format("{} to {} extents, each at least 1", min_order, max_order),
                 '(' + to_string(shape) + ')');
  const auto [smallest, largest] = std::minmax_element(shape.begin(), shape.end());
  if (options.symmetric && *smallest != *largest) {
    throw OptionError(fmt::format(
        "`symmetric` needs equal extents, but `shape` is {}: make them equal, or leave `symmetric` "
        "off",
        to_string(shape)));
  }
  if (options.factors == FactorKind::orthonormal && options.rank > *smallest) {
    throw OptionError(fmt::format(
        "{} orthonormal columns do not fit in a mode of length {}: lower `rank` to {}, enlarge "
        "`shape` ({}), or choose gaussian for `factors`",
        options.rank, *smallest, *smallest, to_string(shape)));
  }
}

void require_movement(const PlantedOptions& options) {
  const Index slices = options.shape[options.shape.order() - 1];
  require_option(std::isfinite(options.rotate), "rotate", "a finite number of degrees",
                 options.rotate);
  if (options.change_at < 0 || options.change_at >= slices) {
    throw OptionError(fmt::format(
        "`change-at` is {}, but the last mode has slices 0 to {}: give one of them from 1 "
        "on, or 0 for no change",
        options.change_at, slices - 1));
  }
  if (options.symmetric && (options.rotate != 0 || options.change_at > 0)) {
    throw OptionError(
        "a symmetric tensor has one factor for all modes, which can neither rotate nor change "
        "along the last: leave `symmetric`, `rotate` or `change-at` off");
  }
}

}  // namespace

void validate(const PlantedOptions& options) {
  require_option(options.rank >= 1, "rank", "at least 1", options.rank);
  require_planted_shape(options);
  require_share("density", options.density);
  require_share("missing", options.missing);
  require_share("zero-rows", options.zero_rows);
  require_option(options.support != Support::block || options.blocks >= 1, "blocks",
                 "at least 1 where `support` is block", options.blocks);
  if (!(options.magnitude > 0 && std::isfinite(options.magnitude))) {
    throw OptionError(fmt::format(
        "`magnitude` must be positive and finite, but is {}: to plant no S, choose none for "
        "`support`",
        options.magnitude));
  }
  require_option(options.noise >= 0 && std::isfinite(options.noise), "noise",
                 "finite and not negative", options.noise);
  require_movement(options);
  require_option(options.type == ScalarType::f64 || options.type == ScalarType::f32, "dtype",
                 "f64 or f32", to_string(options.type));
}

}  // namespace sunder
