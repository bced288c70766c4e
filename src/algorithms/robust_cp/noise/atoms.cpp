#include "algorithms/robust_cp/noise/atoms.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <vector>

#include "algorithms/robust_cp/levels/noise.hpp"

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
  values.reserve(core.values.size());
  for (Index i = 0; i < core.values.size(); ++i) {
    if (core.is_observed(i)) values.push_back(core.values[i]);
  }
  Atoms atoms;
  if (values.empty()) return atoms;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double low = *least;
  const double high = *most;
  if (!(high > low)) return atoms;
  const auto count = [&](double x) {
    return static_cast<double>(std::count(values.begin(), values.end(), x));
  };
  const double zeros = count(0);
  const double lows = count(low);
  const double highs = count(high);
  const double enough = limits::least_atom * static_cast<double>(values.size());
  // Where nothing recurs, there is nothing to sort for.
  if (std::max({zeros, lows, highs}) <= enough) return atoms;
  std::vector<double>& inside = values;
  std::erase_if(inside, [&](double x) { return x == 0 || x == low || x == high; });
  std::sort(inside.begin(), inside.end());
  const double usual = recurrence(inside);
  // Whole numbers recur by themselves, but zero no more often than those next to it.
  const bool stands_out =
      usual < limits::continuous || zeros > limits::more_than_usual * recurrence_near_zero(inside);
  atoms.zeros = zeros > enough && zeros > limits::more_than_usual * usual && stands_out;
  // Whole numbers all recur: an end must stand out from the values beside it.
  const auto is_end = [&](double times, double beside) {
    return times > enough && times > limits::more_than_beside * beside;
  };
  if (low != 0 && is_end(lows, usual_count(inside.begin(), inside.end()))) atoms.lowest = low;
  if (high != 0 && is_end(highs, usual_count(inside.rbegin(), inside.rend()))) {
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

DenseCore without_ends(DenseCore core) {
  const Entries inside = (core.values > core.lowest && core.values < core.highest).cast<double>();
  if (inside.minCoeff() > 0) return core;
  core.observed = core.complete() ? inside : Entries(core.observed * inside);
  core.values *= inside;
  core.lowest = -std::numeric_limits<double>::infinity();
  core.highest = std::numeric_limits<double>::infinity();
  return core;
}

}  // namespace sunder::robust
