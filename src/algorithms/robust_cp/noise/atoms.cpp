#include "algorithms/robust_cp/noise/atoms.hpp"

#include <algorithm>
#include <iterator>
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
  atoms.zeros = is_atom(0) && usual < limits::continuous;
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
