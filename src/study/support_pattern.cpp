#include "sunder/study/support_pattern.hpp"

#include <vector>

namespace sunder {

namespace {

constexpr Index fewest_entries = 50;
/// A random support stays within a few percent of 1; ten small blocks among a million entries reach
/// 5.
constexpr double uneven = 1.5;

/// Sums of c^2 and c (c - 1) over the fibres along one mode, where c is the number of entries.
struct FibreSums {
  double squares = 0;
  double pairs = 0;
};

FibreSums sums_over_fibres(const SparseTensor& sparse, int mode) {
  const Shape& shape = sparse.shape();
  Index inner = 1;
  for (int m = mode + 1; m < shape.order(); ++m) inner *= shape[m];
  const Index step = inner * shape[mode];
  std::vector<int> counts(shape.entries() / shape[mode]);
  for (const Index position : sparse.positions()) {
    ++counts[position / step * inner + position % inner];
  }
  FibreSums sums;
  for (const int count : counts) {
    sums.squares += static_cast<double>(count) * count;
    sums.pairs += static_cast<double>(count) * (count - 1);
  }
  return sums;
}

}  // namespace

std::string_view to_string(SupportKind kind) {
  switch (kind) {
    case SupportKind::too_few:
      return "too few entries";
    case SupportKind::scattered:
      return "scattered";
    case SupportKind::blocks:
      break;
  }
  return "blocks";
}

SupportPattern pattern_of(const SparseTensor& sparse) {
  SupportPattern pattern;
  const Shape& shape = sparse.shape();
  pattern.count = sparse.count();
  const auto entries = static_cast<double>(shape.entries());
  const double density = static_cast<double>(pattern.count) / entries;
  if (pattern.count < fewest_entries || density >= 1) return pattern;
  for (int mode = 0; mode < shape.order(); ++mode) {
    const FibreSums sums = sums_over_fibres(sparse, mode);
    const auto extent = static_cast<double>(shape[mode]);
    const double fibres = entries / extent;
    const double mean = density * extent;
    const double variance = sums.squares / fibres - mean * mean;
    pattern.unevenness += variance / (mean * (1 - density)) / shape.order();
    const double random_pairs = fibres * extent * (extent - 1) * density * density;
    if (random_pairs > 0) pattern.overlap += sums.pairs / random_pairs / shape.order();
  }
  pattern.kind = pattern.unevenness > uneven ? SupportKind::blocks : SupportKind::scattered;
  return pattern;
}

}  // namespace sunder
