#include "algorithms/robust_cp/core/core_statistics.hpp"

#include <cmath>

#include "algorithms/robust_cp/levels/core.hpp"

namespace sunder::robust {

namespace {

namespace data = levels::data;

std::vector<double> values_at(const DenseCore& core, const std::vector<Index>& entries) {
  std::vector<double> values;
  values.reserve(entries.size());
  for (const Index i : entries) values.push_back(core.values[i]);
  return values;
}

}  // namespace

std::vector<Index> informative(const DenseCore& core) {
  std::vector<Index> observed;
  std::vector<Index> non_zero;
  for (Index i = 0; i < core.values.size(); ++i) {
    if (!core.is_observed(i)) continue;
    observed.push_back(i);
    if (core.values[i] != 0) non_zero.push_back(i);
  }
  const bool zeros_are_common =
      static_cast<double>(non_zero.size()) <
      data::usual_share_of_nonzeros * static_cast<double>(observed.size());
  return zeros_are_common && !non_zero.empty() ? non_zero : observed;
}

std::vector<Index> thinned(std::vector<Index> entries) {
  // An odd step meets every index of an even mode.
  const std::size_t step = entries.size() / data::enough_for_quantiles | 1;
  std::size_t kept = 0;
  for (std::size_t k = 0; k < entries.size(); k += step) entries[kept++] = entries[k];
  entries.resize(kept);
  return entries;
}

double median_at(const DenseCore& core, const std::vector<Index>& entries) {
  return median(values_at(core, entries));
}

double spread(const DenseCore& core, const std::vector<Index>& informative) {
  const std::vector<double> values = values_at(core, informative);
  const double middle = median(values);
  const double deviation = robust_scale(values, middle);
  const bool constant = !(deviation > data::constant_deviation * std::abs(middle));
  return (constant ? std::abs(middle) : deviation) + tiny;
}

std::vector<double> magnitudes_at(const DenseCore& core, const Factors& factors,
                                  const std::vector<Index>& entries) {
  const Entries R = residual(core, factors);
  std::vector<double> magnitudes;
  magnitudes.reserve(entries.size());
  for (const Index i : entries) magnitudes.push_back(std::abs(R[i]));
  return magnitudes;
}

}  // namespace sunder::robust
