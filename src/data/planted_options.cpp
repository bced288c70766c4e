#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sunder/core/error.hpp"
#include "sunder/data/planted.hpp"

namespace sunder {

namespace {

void require_share(double value, std::string_view name) {
  if (value >= 0 && value <= 1) return;
  throw OptionError(fmt::format(
      "{} is {}, but it is a share of the whole: give a number from 0 to 1", name, value));
}

void require_planted_shape(const PlantedOptions& options) {
  const Shape& shape = options.shape;
  const bool empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
  if (shape.order() < min_order || empty) {
    throw OptionError(
        fmt::format("the shape ({}) cannot be planted: give {} to {} extents, each at least 1",
                    to_string(shape), min_order, max_order));
  }
  const auto [smallest, largest] = std::minmax_element(shape.begin(), shape.end());
  if (options.symmetric && *smallest != *largest) {
    throw OptionError(fmt::format(
        "a symmetric tensor needs equal extents, but the shape is {}: make them equal, or leave "
        "symmetric off",
        to_string(shape)));
  }
  if (options.factors == FactorKind::orthonormal && options.rank > *smallest) {
    throw OptionError(fmt::format(
        "{} orthonormal columns do not fit in a mode of length {}: lower the rank to {}, enlarge "
        "the shape ({}), or use gaussian factors",
        options.rank, *smallest, *smallest, to_string(shape)));
  }
}

void require_movement(const PlantedOptions& options) {
  const Index slices = options.shape[options.shape.order() - 1];
  if (!std::isfinite(options.rotate)) {
    throw OptionError(fmt::format("rotate is {}, but it is a number of degrees", options.rotate));
  }
  if (options.change_at < 0 || options.change_at >= slices) {
    throw OptionError(fmt::format(
        "change_at is {}, but the last mode has slices 0 to {}: give one of them from 1 "
        "on, or 0 for no change",
        options.change_at, slices - 1));
  }
  if (options.symmetric && (options.rotate != 0 || options.change_at > 0)) {
    throw OptionError(
        "a symmetric tensor has one factor for all modes, which can neither rotate nor change "
        "along the last: leave symmetric, rotate or change_at off");
  }
}

}  // namespace

void validate(const PlantedOptions& options) {
  if (options.rank < 1) {
    throw OptionError(
        fmt::format("the rank is {}, but a planted tensor needs at least 1", options.rank));
  }
  require_planted_shape(options);
  require_share(options.density, "density");
  require_share(options.missing, "missing");
  require_share(options.zero_rows, "zero_rows");
  if (options.support == Support::block && options.blocks < 1) {
    throw OptionError(
        fmt::format("blocks is {}, but a block support needs at least 1: raise it, or use the "
                    "support none",
                    options.blocks));
  }
  if (!(options.magnitude > 0 && std::isfinite(options.magnitude))) {
    throw OptionError(fmt::format(
        "magnitude is {}, but it must be positive and finite: to plant no S, use the support none",
        options.magnitude));
  }
  if (!(options.noise >= 0 && std::isfinite(options.noise))) {
    throw OptionError(fmt::format(
        "noise is {}, but a standard deviation is finite and not negative: give 0 for no noise",
        options.noise));
  }
  require_movement(options);
  if (options.type != ScalarType::f64 && options.type != ScalarType::f32) {
    throw OptionError(fmt::format("planted tensors are stored as f64 or f32, not as {}",
                                  to_string(options.type)));
  }
}

}  // namespace sunder
