#include "data/planted_damage.hpp"

#include <algorithm>
#include <cmath>

#include "data/planted_columns.hpp"

namespace sunder {

namespace {

constexpr double garbage_size = 2;  ///< times the rms of L

}  // namespace

PlantedDamage::PlantedDamage(const PlantedOptions& options, const PlantedSignal& signal)
    : options_(options), rms_(signal.rms), none_(options.dropout == 0 && options.bad_samples == 0) {
  const Index samples = options.shape[0];
  const auto count =
      static_cast<Index>(std::floor(options.bad_samples * static_cast<double>(samples)));
  if (count == 0) return;
  bad_.assign(static_cast<std::size_t>(samples), false);
  for (const Index i : random_subset(samples, count, stream(options.seed, Purpose::bad_sample))) {
    bad_[static_cast<std::size_t>(i)] = true;
  }
  if (options.bad_kind == BadSampleKind::model) other_ = other_low_rank(options);
}

void PlantedDamage::saturate(double low, double high) {
  low_ = low;
  high_ = high;
  none_ = false;
}

double PlantedDamage::bad_value(const ModeIndices& index, Index key, double noise,
                                DamageStreams& random) const {
  if (options_.bad_kind == BadSampleKind::model) {
    return other_.entry(std::span<const Index>(index.data(),
                                               static_cast<std::size_t>(options_.shape.order()))) +
           noise;
  }
  random.garbage.seek(static_cast<std::uint64_t>(key));
  return garbage_size * rms_ * random.garbage.normal();
}

double PlantedDamage::applied(const ModeIndices& index, Index key, double value, double noise,
                              DamageStreams& random) const {
  if (!bad_.empty() && bad_[static_cast<std::size_t>(index[0])]) {
    value = bad_value(index, key, noise, random);
  }
  if (options_.dropout > 0) {
    random.dropout.seek(static_cast<std::uint64_t>(key));
    if (random.dropout.bernoulli(options_.dropout)) value = 0;
  }
  return std::clamp(value, low_, high_);
}

}  // namespace sunder
