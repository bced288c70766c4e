#include "algorithms/robust_cp/core/residual_sample.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/robust_cp/levels/core.hpp"
#include "sunder/core/rng.hpp"

namespace sunder::robust {

ResidualSample sample_residuals(Engine& engine, const Factors& factors, std::uint64_t seed) {
  constexpr std::size_t wanted = levels::sampling::residuals;
  const Shape& shape = engine.shape();
  const CpModel model = as_model(factors);
  Rng rng(seed, 0);
  std::vector<ModeIndices> places(wanted);
  for (ModeIndices& index : places) {
    const auto linear = rng.below(static_cast<std::uint64_t>(shape.entries()));
    index = shape.unravel(static_cast<Index>(linear));
  }
  const std::vector<double> entries = engine.gather_entries(places);
  ResidualSample sample;
  for (std::size_t k = 0; k < wanted; ++k) {
    if (std::isnan(entries[k])) continue;
    const std::span<const Index> at(places[k].data(), static_cast<std::size_t>(shape.order()));
    sample.magnitudes.push_back(std::abs(entries[k] - model.entry(at)));
    sample.largest = std::max(sample.largest, std::abs(entries[k]));
  }
  return sample;
}

}  // namespace sunder::robust
