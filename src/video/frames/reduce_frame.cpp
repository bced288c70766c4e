#include "video/frames/reduce_frame.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace sunder {

namespace {

/// Rows and columns in doubles: height x width x channels.
struct Plane {
  Index height;
  Index width;
  Index channels;
  std::vector<double> values;

  Plane(Index rows, Index columns, Index depth)
      : height(rows),
        width(columns),
        channels(depth),
        values(static_cast<std::size_t>(rows * columns * depth)) {}
  double* row(Index i) { return values.data() + i * width * channels; }
  const double* row(Index i) const { return values.data() + i * width * channels; }
};

template <class T>
Plane widen(const std::uint8_t* bytes, const FrameFormat& format, Index channels) {
  Plane plane(format.height, format.width, channels);
  const auto* const codes = reinterpret_cast<const T*>(bytes);
  if (channels == format.channels) {
    std::copy(codes, codes + format.values(), plane.values.begin());
    return plane;
  }
  for (Index p = 0; p < format.pixels(); ++p) {
    plane.values[p] = 0.299 * codes[3 * p] + 0.587 * codes[3 * p + 1] + 0.114 * codes[3 * p + 2];
  }
  return plane;
}

/// Calls add(source, weight) for each index of `extent` that index `k` of `target` covers.
template <class Add>
void for_covered(Index k, Index extent, Index target, const Add& add) {
  const double ratio = static_cast<double>(extent) / static_cast<double>(target);
  const double begin = static_cast<double>(k) * ratio;
  const double end = begin + ratio;
  const auto last = std::min(extent, static_cast<Index>(std::ceil(end - 1e-9)));
  for (auto source = static_cast<Index>(begin + 1e-9); source < last; ++source) {
    const auto at = static_cast<double>(source);
    add(source, (std::min(end, at + 1) - std::max(begin, at)) / ratio);
  }
}

Plane average_rows(const Plane& plane, Index height) {
  Plane result(height, plane.width, plane.channels);
  const Index values = plane.width * plane.channels;
  for (Index i = 0; i < height; ++i) {
    double* const out = result.row(i);
    for_covered(i, plane.height, height, [&](Index source, double weight) {
      const double* const in = plane.row(source);
      for (Index k = 0; k < values; ++k) out[k] += weight * in[k];
    });
  }
  return result;
}

Plane average_columns(const Plane& plane, Index width) {
  Plane result(plane.height, width, plane.channels);
  for (Index j = 0; j < width; ++j) {
    for_covered(j, plane.width, width, [&](Index source, double weight) {
      for (Index i = 0; i < plane.height; ++i) {
        for (Index c = 0; c < plane.channels; ++c) {
          result.row(i)[j * plane.channels + c] +=
              weight * plane.row(i)[source * plane.channels + c];
        }
      }
    });
  }
  return result;
}

template <class T>
void reduce(const std::uint8_t* in, const FrameFormat& format, const FrameFormat& target,
            Frame& out) {
  Plane plane = widen<T>(in, format, target.channels);
  if (target.height != format.height) plane = average_rows(plane, target.height);
  if (target.width != format.width) plane = average_columns(plane, target.width);
  auto* const codes = reinterpret_cast<T*>(out.bytes.data());
  std::transform(plane.values.begin(), plane.values.end(), codes, [&](double value) {
    return static_cast<T>(std::lround(std::clamp(value, 0.0, target.peak())));
  });
}

}  // namespace

void reduce_frame(const std::uint8_t* in, const FrameFormat& format, const FrameFormat& target,
                  Frame& out) {
  out.bytes.resize(target.bytes());
  if (format == target) {
    std::memcpy(out.bytes.data(), in, out.bytes.size());
  } else if (format.bits == 8) {
    reduce<std::uint8_t>(in, format, target, out);
  } else {
    reduce<std::uint16_t>(in, format, target, out);
  }
}

}  // namespace sunder
