#include "algorithms/robust_cp/certificate/rounding.hpp"

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "algorithms/robust_cp/levels/certificate.hpp"

namespace sunder::robust {

double rounding_share(ScalarType storage) {
  if (storage == ScalarType::f32) return double{std::numeric_limits<float>::epsilon()} / 2;
  return levels::residuals::units * std::numeric_limits<double>::epsilon() / 2;
}

Factors magnitudes(const Factors& factors) {
  Factors sizes;
  for (const Matrix& factor : factors) sizes.emplace_back(factor.cwiseAbs());
  return sizes;
}

bool fits_to_rounding(Engine& engine, const Factors& factors, double level, Rng& rng) {
  const std::size_t order = factors.size();
  std::vector<ModeIndices> drawn(levels::residuals::draws);
  double entries = 1;
  for (std::size_t m = 0; m < order; ++m) {
    const auto extent = static_cast<std::uint64_t>(factors[m].rows());
    for (ModeIndices& index : drawn) index[m] = static_cast<Index>(rng.below(extent));
    entries *= static_cast<double>(extent);
  }
  const CpModel model = as_model(factors);
  const CpModel sizes = as_model(magnitudes(factors));
  const double usual = sizes.norm() / std::sqrt(entries);
  const double share = rounding_share(engine.type());
  const std::vector<double> values = engine.gather_entries(drawn);
  double fitted = 0;
  double rounded = 0;
  for (std::size_t k = 0; k < drawn.size(); ++k) {
    const std::span<const Index> at(drawn[k].data(), order);
    const double left = std::abs(values[k] - model.entry(at));
    if (!(left < level)) continue;
    fitted += 1;
    rounded += left <= share * (usual + sizes.entry(at)) ? 1 : 0;
  }
  return rounded >= levels::residuals::most * fitted;
}

}  // namespace sunder::robust
