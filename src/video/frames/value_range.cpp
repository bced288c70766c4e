#include "video/frames/value_range.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "sunder/core/error.hpp"

namespace sunder {

namespace {

/// Slabs of TensorFile::scan are contiguous, in the order of the file.
template <class T>
Index widen_range(const TensorView& slab, ValueRange& range) {
  T least = std::numeric_limits<T>::max();
  T most = std::numeric_limits<T>::lowest();
  const std::span<const T> entries(slab.typed<T>(), static_cast<std::size_t>(slab.entries()));
  for (std::size_t p = 0; p < entries.size(); ++p) {
    if constexpr (std::is_floating_point_v<T>) {
      if (!std::isfinite(entries[p])) return static_cast<Index>(p);
    }
    least = std::min(least, entries[p]);
    most = std::max(most, entries[p]);
  }
  range.least = std::min(range.least, static_cast<double>(least));
  range.most = std::max(range.most, static_cast<double>(most));
  return -1;
}

[[noreturn]] void refuse(const TensorFile& file, const std::string& name, Index position) {
  const Shape shape = file.shape();
  const int order = shape.order();
  ModeIndices index{};
  const bool c = file.storage_order() == StorageOrder::c;
  for (int k = 0; k < order; ++k) {
    const int mode = c ? order - 1 - k : k;
    index[mode] = position % shape[mode];
    position /= shape[mode];
  }
  throw InputError(fmt::format(
      "cannot read {} as a video: the entry at ({}) is NaN or infinite; replace such entries first",
      name, fmt::join(std::span(index).first(static_cast<std::size_t>(order)), ", ")));
}

}  // namespace

ValueRange find_value_range(const TensorFile& file, const std::string& name) {
  ValueRange range{std::numeric_limits<double>::infinity(),
                   -std::numeric_limits<double>::infinity()};
  Index before = 0;
  Index bad = -1;
  file.scan([&](const TensorView& slab) {
    bad = with_scalar_type(slab.type(), [&]<class T>() { return widen_range<T>(slab, range); });
    if (bad >= 0) return Continue::cancel;
    before += slab.entries();
    return Continue::yes;
  });
  if (bad >= 0) refuse(file, name, before + bad);
  return range;
}

}  // namespace sunder
