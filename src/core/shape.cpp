#include "sunder/core/shape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sunder/core/error.hpp"

namespace sunder {

namespace {
constexpr Index max_entries = Index{1}
                              << 59;  // of eight bytes each: the byte count fits in an Index too
}

Shape::Shape(std::initializer_list<Index> extents)
    : Shape(std::span<const Index>(extents.begin(), extents.size())) {}

Shape::Shape(std::span<const Index> extents) {
  if (extents.size() > max_order) {
    throw InputError(
        fmt::format("a tensor of order {} ({}) is not supported: the order must be {} to {}; "
                    "group or slice some modes",
                    extents.size(), fmt::join(extents, " x "), min_order, max_order));
  }
  order_ = static_cast<int>(extents.size());
  Index addressed = 1;  // the product without empty modes: strides must fit in an Index as well
  for (std::size_t mode = 0; mode < extents.size(); ++mode) {
    const Index extent = extents[mode];
    if (extent < 0) {
      throw InputError(fmt::format("mode {} has the negative length {}", mode, extent));
    }
    extents_[mode] = extent;
    if (extent > 0 && addressed > max_entries / extent) {
      throw InputError(fmt::format("the shape {} has more entries than can be addressed",
                                   fmt::join(extents, " x ")));
    }
    entries_ *= extent;
    if (extent > 0) addressed *= extent;
  }
}

Index Shape::linear(std::span<const Index> index) const {
  Index position = 0;
  for (int mode = 0; mode < order_; ++mode) {
    position = position * (*this)[mode] + index[mode];
  }
  return position;
}

ModeIndices Shape::unravel(Index linear) const {
  ModeIndices index{};
  for (int mode = order_ - 1; mode >= 0; --mode) {
    index[mode] = linear % (*this)[mode];
    linear /= (*this)[mode];
  }
  return index;
}

bool Shape::operator==(const Shape& other) const {
  return std::equal(begin(), end(), other.begin(), other.end());
}

std::string to_string(const Shape& shape) {
  return fmt::format("{}", fmt::join(shape.begin(), shape.end(), " x "));
}

void require_decomposable(const Shape& shape) {
  if (shape.order() < min_order) {
    throw InputError(
        fmt::format("the tensor has order {} ({}), but a decomposition needs order {} to {}",
                    shape.order(), to_string(shape), min_order, max_order));
  }
  for (int mode = 0; mode < shape.order(); ++mode) {
    if (shape[mode] == 0) {
      throw InputError(
          fmt::format("mode {} of the tensor ({}) is empty: every mode needs at least one entry",
                      mode, to_string(shape)));
    }
  }
}

}  // namespace sunder
