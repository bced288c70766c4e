#include "algorithms/robust_cp/outliers.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>
#include <utility>

#include "algorithms/robust_cp/graduated.hpp"

namespace sunder::robust {

namespace {

/// Two entries of a fibre: the slices they are in, and their ratio.
using Pair = std::tuple<Index, Index, double>;

constexpr std::size_t most_pairs = 4'000'000;

/// A value, and the slice it is in.
struct Outlier {
  Index slice;
  double value;
};

void add_pairs(std::span<const Outlier> fibre, std::vector<Pair>& pairs) {
  for (std::size_t a = 0; a < fibre.size(); ++a) {
    for (std::size_t b = a + 1; b < fibre.size(); ++b) {
      pairs.emplace_back(fibre[a].slice, fibre[b].slice, fibre[b].value / fibre[a].value);
    }
  }
}

/// All pairs of outliers in the fibres of a mode; not many more than can be looked at.
std::vector<Pair> pairs_in_fibres(const RowMatrix& rows) {
  std::vector<Pair> pairs;
  std::vector<Outlier> fibre;
  for (Index c = 0; c < rows.cols() && pairs.size() < most_pairs; ++c) {
    fibre.clear();
    for (Index i = 0; i < rows.rows(); ++i) {
      if (rows(i, c) != 0) fibre.push_back({i, rows(i, c)});
    }
    add_pairs(fibre, pairs);
  }
  return pairs;
}

std::vector<Pair> pairs_in_fibres(const SparseTensor& outliers, int mode) {
  std::vector<std::pair<Index, Outlier>> entries;  // and the fibre they are in
  for (Index k = 0; k < outliers.count(); ++k) {
    ModeIndices index = outliers.coordinates(k);
    const Index slice = std::exchange(index[static_cast<std::size_t>(mode)], 0);
    entries.push_back(
        {outliers.shape().linear(index), {slice, outliers.values()[static_cast<std::size_t>(k)]}});
  }
  const auto before = [](const auto& a, const auto& b) {
    return std::tie(a.first, a.second.slice) < std::tie(b.first, b.second.slice);
  };
  std::sort(entries.begin(), entries.end(), before);
  std::vector<Pair> pairs;
  std::vector<Outlier> fibre;
  for (std::size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
    fibre.clear();
    for (; end < entries.size() && entries[end].first == entries[begin].first; ++end) {
      fibre.push_back(entries[end].second);
    }
    add_pairs(fibre, pairs);
    if (pairs.size() > most_pairs) break;
  }
  return pairs;
}

/// Whether pairs of the same two slices have one ratio: more than a few of them, or as many as
/// would hardly agree by accident. Among few outliers two are enough.
bool some_ratio_repeats(std::vector<Pair> pairs, double tolerance) {
  constexpr std::size_t few = 4;
  constexpr double hardly = 1e-3;
  std::sort(pairs.begin(), pairs.end());
  const auto all = static_cast<double>(pairs.size());
  for (std::size_t begin = 0, end = 0; begin < pairs.size(); begin = end) {
    const auto& [first, second, least] = pairs[begin];
    while (end < pairs.size() && std::get<0>(pairs[end]) == first &&
           std::get<1>(pairs[end]) == second) {
      ++end;
    }
    const double by_accident = static_cast<double>(end - begin) * tolerance;  // for a ratio, others
    for (std::size_t from = begin, to = begin; to < end; ++to) {
      const double ratio = std::get<2>(pairs[to]);
      while (ratio - std::get<2>(pairs[from]) > tolerance * std::abs(ratio)) ++from;
      const std::size_t others = to - from;
      if (others >= few || (others > 0 && all * std::pow(by_accident, others) < hardly))
        return true;
    }
  }
  return false;
}

/// Rows that hang on a few outliers fit those whatever they are.
void keep_fitted_rows(const DenseCore& outliers, double level, Factors& component) {
  constexpr double few = 3;
  const Entries fitted =
      outliers.observed * (residual(outliers, component).abs() < level).cast<double>();
  for (int mode = 0; mode < outliers.shape.order(); ++mode) {
    const Eigen::ArrayXd count = unfold(outliers.shape, fitted, mode).rowwise().sum();
    for (Index i = 0; i < count.size(); ++i) {
      if (count[i] <= few) component[static_cast<std::size_t>(mode)].row(i).setZero();
    }
  }
}

}  // namespace

DenseCore outliers_of(const DenseCore& core, const Factors& factors, double level) {
  const Entries R = residual(core, factors);
  DenseCore outliers = core;
  outliers.observed = (R.abs() >= level).cast<double>();
  outliers.values = R * outliers.observed;
  return outliers;
}

Factors component_of_outliers(const DenseCore& outliers, double level, Rng& rng, Monitor& monitor) {
  Factors component;
  for (const Index extent : outliers.shape) component.push_back(Matrix::Zero(extent, 1));
  if (outliers.observed.sum() == 0) return component;
  component = graduated_fit(outliers, 1, {}, rng, monitor);
  keep_fitted_rows(outliers, level, component);
  return component;
}

bool has_proportional_rows(const DenseCore& outliers, double tolerance) {
  for (int mode = 0; mode < outliers.shape.order(); ++mode) {
    if (some_ratio_repeats(pairs_in_fibres(unfold(outliers.shape, outliers.values, mode)),
                           tolerance)) {
      return true;
    }
  }
  return false;
}

std::optional<bool> has_proportional_rows(const SparseTensor& outliers, double tolerance) {
  bool looked_at_all = true;
  for (int mode = 0; mode < outliers.shape().order(); ++mode) {
    std::vector<Pair> pairs = pairs_in_fibres(outliers, mode);
    looked_at_all = looked_at_all && pairs.size() <= most_pairs;
    if (some_ratio_repeats(std::move(pairs), tolerance)) return true;
  }
  return looked_at_all ? std::optional(false) : std::nullopt;
}

double evidence_needed(const DenseCore& outliers, double tolerance) {
  std::vector<double> values;
  for (const double r : outliers.values) {
    if (r != 0) values.push_back(r);
  }
  std::sort(values.begin(), values.end());
  std::size_t twins = 0;
  std::size_t most = 0;
  for (std::size_t begin = 0, end = 0; begin < values.size(); begin = end) {
    while (end < values.size() && values[end] - values[begin] < tolerance) ++end;
    if (end - begin > 1) twins += end - begin;
    most = std::max(most, end - begin);
  }
  const double tell = 0.05 * static_cast<double>(values.size());
  if (most > 2 && static_cast<double>(most) > tell) return 3;
  return static_cast<double>(twins) > tell ? 2 : 1;
}

}  // namespace sunder::robust
