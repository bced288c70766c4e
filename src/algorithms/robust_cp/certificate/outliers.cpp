#include "algorithms/robust_cp/certificate/outliers.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "algorithms/robust_cp/core/graduated/graduated.hpp"
#include "algorithms/robust_cp/levels/certificate.hpp"

namespace sunder::robust {

namespace {

/// A value, and the slice it is in.
struct Outlier {
  Index slice;
  double value;
};

/// Pairs of outliers in one fibre: their slices, and the ratio of the two.
class Pairs {
 public:
  explicit Pairs(Index slices) : with_first_(static_cast<std::size_t>(slices)) {}

  /// Adds the pairs of one fibre, unless there are already too many to be looked at.
  void add_fibre(std::span<const Outlier> fibre) {
    if (too_many()) return;
    for (std::size_t a = 0; a < fibre.size(); ++a) {
      std::vector<Pair>& pairs = with_first_[fibre[a].slice];
      for (std::size_t b = a + 1; b < fibre.size(); ++b) {
        pairs.push_back({fibre[b].slice, fibre[b].value / fibre[a].value});
      }
      count_ += fibre.size() - a - 1;
    }
  }
  bool too_many() const { return count_ > levels::outliers::most_pairs; }

  /// Whether several pairs of the same two slices have one ratio: more than a few of them, or as
  /// many as would hardly agree by accident. Among few outliers two are enough.
  bool some_ratio_repeats(double tolerance) {
    return std::ranges::any_of(with_first_, [&](std::vector<Pair>& pairs) {
      return some_ratio_repeats_in(pairs, tolerance);
    });
  }

 private:
  struct Pair {
    Index second;
    double ratio;
    bool operator<(const Pair& other) const {
      return std::tie(second, ratio) < std::tie(other.second, other.ratio);
    }
  };

  bool some_ratio_repeats_in(std::vector<Pair>& pairs, double tolerance) const {
    namespace limits = levels::outliers;
    std::sort(pairs.begin(), pairs.end());
    for (std::size_t begin = 0, end = 0; begin < pairs.size(); begin = end) {
      while (end < pairs.size() && pairs[end].second == pairs[begin].second) ++end;
      const double by_accident =
          static_cast<double>(end - begin) * tolerance;  // for a ratio, others
      for (std::size_t from = begin, to = begin; to < end; ++to) {
        const double ratio = pairs[to].ratio;
        while (ratio - pairs[from].ratio > tolerance * std::abs(ratio)) ++from;
        const std::size_t others = to - from;
        if (others == 0) continue;
        const double accidents = static_cast<double>(count_) * std::pow(by_accident, others);
        if (others >= limits::repeats || accidents < limits::accidents) return true;
      }
    }
    return false;
  }

  std::vector<std::vector<Pair>> with_first_;  ///< by the first of the two slices
  std::size_t count_ = 0;
};

Pairs pairs_in_fibres(const RowMatrix& rows) {
  Pairs pairs(rows.rows());
  std::vector<Outlier> fibre;
  for (Index c = 0; c < rows.cols() && !pairs.too_many(); ++c) {
    fibre.clear();
    for (Index i = 0; i < rows.rows(); ++i) {
      if (rows(i, c) != 0) fibre.push_back({i, rows(i, c)});
    }
    pairs.add_fibre(fibre);
  }
  return pairs;
}

Pairs pairs_in_fibres(const SparseTensor& outliers, int mode) {
  std::vector<std::pair<Index, Outlier>> entries;  // and the fibre they are in
  for (Index k = 0; k < outliers.count(); ++k) {
    ModeIndices index = outliers.coordinates(k);
    const Index slice = std::exchange(index[mode], 0);
    entries.push_back({outliers.shape().linear(index), {slice, outliers.values()[k]}});
  }
  const auto before = [](const auto& a, const auto& b) {
    return std::tie(a.first, a.second.slice) < std::tie(b.first, b.second.slice);
  };
  std::sort(entries.begin(), entries.end(), before);
  Pairs pairs(outliers.shape()[mode]);
  std::vector<Outlier> fibre;
  for (std::size_t begin = 0, end = 0; begin < entries.size() && !pairs.too_many(); begin = end) {
    fibre.clear();
    for (; end < entries.size() && entries[end].first == entries[begin].first; ++end) {
      fibre.push_back(entries[end].second);
    }
    pairs.add_fibre(fibre);
  }
  return pairs;
}

/// Sets rows that depend on a few outliers to zero: they fit those whatever they are.
void keep_fitted_rows(const DenseCore& outliers, double level, Factors& component) {
  const Entries fitted =
      outliers.observed * (residual(outliers, component).abs() < level).cast<double>();
  for (int mode = 0; mode < outliers.shape.order(); ++mode) {
    const Eigen::ArrayXd count = unfold(outliers.shape, fitted, mode).rowwise().sum();
    for (Index i = 0; i < count.size(); ++i) {
      if (count[i] <= levels::outliers::few_entries) component[mode].row(i).setZero();
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
    Pairs pairs = pairs_in_fibres(unfold(outliers.shape, outliers.values, mode));
    if (pairs.some_ratio_repeats(tolerance)) return true;
  }
  return false;
}

std::optional<bool> has_proportional_rows(const SparseTensor& outliers, double tolerance) {
  for (int mode = 0; mode < outliers.shape().order(); ++mode) {
    Pairs pairs = pairs_in_fibres(outliers, mode);
    if (pairs.too_many()) return std::nullopt;
    if (pairs.some_ratio_repeats(tolerance)) return true;
  }
  return false;
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
  namespace limits = levels::outliers;
  const double many = limits::share_of_twins * static_cast<double>(values.size());
  if (most > 2 && static_cast<double>(most) > many) return limits::evidence_with_whole_numbers;
  return static_cast<double>(twins) > many ? limits::evidence_with_copies : 1;
}

}  // namespace sunder::robust
