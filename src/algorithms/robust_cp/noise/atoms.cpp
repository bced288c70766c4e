#include "algorithms/robust_cp/noise/atoms.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <vector>

#include "algorithms/robust_cp/noise/noise_levels.hpp"

namespace sunder::robust {

namespace limits = levels::noise;

namespace {

/// How often the most frequent value and a typical one occur among sorted values.
double recurrence(const std::vector<double>& sorted) {
  double distinct = 0;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    if (k == 0 || sorted[k] != sorted[k - 1]) distinct += 1;
  }
  return static_cast<double>(sorted.size()) / std::max(distinct, 1.0);
}

/// How often each of the first few distinct values occurs, on average.
template <class Iterator>
double usual_count(Iterator begin, Iterator end) {
  double entries = 0;
  int distinct = 0;
  for (Iterator x = begin; x != end; ++x) {
    if ((x == begin || *x != *std::prev(x)) && ++distinct > limits::values_beside) break;
    entries += 1;
  }
  return entries / std::clamp(distinct, 1, limits::values_beside);
}

/// How often the most frequent of the values next to zero occurs among sorted values. Infinite if
/// there are few different values: counts of rare events have many zeros.
double recurrence_near_zero(std::vector<double> values) {
  std::sort(values.begin(), values.end(),
            [](double a, double b) { return std::abs(a) < std::abs(b); });
  double distinct = 0;
  double count = 0;
  double most = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const bool is_new = k == 0 || values[k] != values[k - 1];
    distinct += is_new ? 1 : 0;
    count = is_new ? 1 : count + 1;
    if (distinct <= limits::near_values) most = std::max(most, count);
  }
  return distinct < limits::many_values ? std::numeric_limits<double>::infinity() : most;
}

}  // namespace

Atoms find_atoms(const DenseCore& core) {
  std::vector<double> values;
  for (Index i = 0; i < core.values.size(); ++i) {
    if (core.is_observed(i)) values.push_back(core.values[i]);
  }
  Atoms atoms;
  if (values.empty()) return atoms;
  std::sort(values.begin(), values.end());
  const auto all = static_cast<double>(values.size());
  const auto count = [&](double x) {
    const auto [first, last] = std::equal_range(values.begin(), values.end(), x);
    return static_cast<double>(last - first);
  };
  const double low = values.front();
  const double high = values.back();
  if (!(high > low)) return atoms;
  std::vector<double> inside;
  for (const double x : values) {
    if (x != 0 && x != low && x != high) inside.push_back(x);
  }
  const double usual = recurrence(inside);
  const auto is_atom = [&](double x) {
    return count(x) > limits::least_atom * all && count(x) > limits::more_than_usual * usual;
  };
  // Whole numbers recur by themselves, but zero no more often than those next to it.
  atoms.zeros = is_atom(0) && (usual < limits::continuous ||
                               count(0) > limits::more_than_usual * recurrence_near_zero(inside));
  // Whole numbers all recur: an end must stand out from the values beside it.
  const auto is_end = [&](double x, double beside) {
    return count(x) > limits::least_atom * all && count(x) > limits::more_than_beside * beside;
  };
  if (low != 0 && is_end(low, usual_count(inside.begin(), inside.end()))) atoms.lowest = low;
  if (high != 0 && is_end(high, usual_count(inside.rbegin(), inside.rend()))) {
    atoms.highest = high;
  }
  return atoms;
}

DenseCore with_atoms(DenseCore core, const Atoms& atoms) {
  core.lowest = atoms.lowest;
  core.highest = atoms.highest;
  if (!atoms.zeros) return core;
  Entries nonzero = (core.values != 0).cast<double>();
  core.observed = core.complete() ? nonzero : Entries(core.observed * nonzero);
  return core;
}

}  // namespace sunder::robust
