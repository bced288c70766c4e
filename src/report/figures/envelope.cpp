#include "report/figures/envelope.hpp"

#include <cmath>
#include <numeric>
#include <utility>

namespace sunder {
namespace {

void append_extremes(std::span<const double> curve, std::size_t begin, std::size_t end,
                     std::vector<std::size_t>& out) {
  std::size_t low = end, high = end;
  for (std::size_t k = begin; k < end; ++k) {
    if (!std::isfinite(curve[k])) continue;
    if (low == end || curve[k] < curve[low]) low = k;
    if (high == end || curve[k] > curve[high]) high = k;
  }
  if (low == end) {
    out.push_back(begin);
    return;
  }
  if (high < low) std::swap(low, high);
  out.push_back(low);
  if (high != low) out.push_back(high);
}

}  // namespace

std::vector<std::size_t> envelope(std::span<const double> curve, std::size_t limit) {
  std::vector<std::size_t> out;
  if (curve.size() <= limit) {
    out.resize(curve.size());
    std::iota(out.begin(), out.end(), std::size_t{0});
    return out;
  }
  const std::size_t stretches = limit / 2;
  out.reserve(limit);
  for (std::size_t k = 0; k < stretches; ++k) {
    append_extremes(curve, k * curve.size() / stretches, (k + 1) * curve.size() / stretches, out);
  }
  return out;
}

std::vector<double> picked(std::span<const double> values, std::span<const std::size_t> places) {
  std::vector<double> out;
  out.reserve(places.size());
  for (const std::size_t place : places) out.push_back(values[place]);
  return out;
}

}  // namespace sunder
