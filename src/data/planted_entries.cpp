#include "data/planted_entries.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "data/planted_streams.hpp"

namespace sunder {

namespace {

/// Entries whose quantiles stand for those of all: their error is about 0.1%.
constexpr Index saturation_sample = 1 << 16;

Rng& at(Rng& random, Index position) {
  random.seek(static_cast<std::uint64_t>(position));
  return random;
}

}  // namespace

Index sorted_position(const Shape& shape, ModeIndices index) {
  // Insertion sort: there are at most eight indices, and the compiler sees that it stays in bounds.
  for (std::size_t end = 1; end < static_cast<std::size_t>(shape.order()); ++end) {
    for (std::size_t k = end; k > 0 && index[k] < index[k - 1]; --k) {
      std::swap(index[k], index[k - 1]);
    }
  }
  return shape.linear(index);
}

EntryModel::EntryModel(const PlantedOptions& options, const PlantedSignal& signal)
    : options_(options),
      noise_(options, signal.rms),
      damage_(options, signal),
      value_scale_(signal.gain * options.magnitude * options.rank /
                   std::sqrt(static_cast<double>(options.shape.entries()))) {
  if (options.support != Support::block) return;
  words_ = (static_cast<std::size_t>(options.blocks) + 63) / 64;
  for (int mode = 0; mode < options.shape.order(); ++mode) {
    const bool same = options.symmetric && mode > 0;
    membership_.push_back(same ? membership_.front() : draw_membership(mode));
  }
}

EntryModel::Membership EntryModel::draw_membership(int mode) const {
  const auto extent = static_cast<std::size_t>(options_.shape[mode]);
  Membership sets(extent * words_, 0);
  Rng random = stream(options_.seed, Purpose::blocks, mode);
  for (std::size_t block = 0; block < static_cast<std::size_t>(options_.blocks); ++block) {
    for (std::size_t i = 0; i < extent; ++i) {
      const std::uint64_t in = random.bernoulli(options_.density) ? 1 : 0;
      sets[i * words_ + block / 64] |= in << (block % 64);
    }
  }
  return sets;
}

bool EntryModel::in_a_block(const ModeIndices& index) const {
  for (std::size_t word = 0; word < words_; ++word) {
    std::uint64_t common = ~std::uint64_t{0};
    for (std::size_t mode = 0; mode < membership_.size(); ++mode) {
      common &= membership_[mode][static_cast<std::size_t>(index[mode]) * words_ + word];
    }
    if (common != 0) return true;
  }
  return false;
}

struct EntryModel::Streams {
  Rng missing, support, value, sign;
  NoiseStreams noise;
  DamageStreams damage;
  explicit Streams(std::uint64_t seed)
      : missing(stream(seed, Purpose::missing)),
        support(stream(seed, Purpose::support)),
        value(stream(seed, Purpose::value)),
        sign(stream(seed, Purpose::sign)),
        noise(seed),
        damage(seed) {}
};

bool EntryModel::corrupted(const ModeIndices& index, Index key, Streams& random) const {
  if (options_.support == Support::none) return false;
  if (options_.support == Support::block) return in_a_block(index);
  return at(random.support, key).bernoulli(options_.density);
}

double EntryModel::error_value(Index key, Streams& random) const {
  double s = at(random.value, key).uniform(value_scale_ / 2, value_scale_);
  if (options_.signs == Signs::random && at(random.sign, key).bernoulli(0.5)) s = -s;
  // Errors of counts are whole numbers, too.
  return options_.noise_model == NoiseKind::poisson ? std::copysign(std::ceil(std::abs(s)), s) : s;
}

void EntryModel::apply(Index first, std::span<double> entries, SparseRun& sparse) const {
  Streams random(options_.seed);
  const auto last = static_cast<std::size_t>(options_.shape.order() - 1);
  ModeIndices index = options_.shape.unravel(first);
  for (std::size_t k = 0; k < entries.size(); ++k, ++index[last]) {
    const Index position = first + static_cast<Index>(k);
    if (index[last] == options_.shape[static_cast<int>(last)]) {
      index = options_.shape.unravel(position);
    }
    // The position that selects the entry's random numbers.
    const Index key = options_.symmetric ? sorted_position(options_.shape, index) : position;
    if (options_.missing > 0 && at(random.missing, key).bernoulli(options_.missing)) {
      entries[k] = std::numeric_limits<double>::quiet_NaN();
      continue;
    }
    const double low_rank = entries[k];
    const double noise = noise_.none() ? 0 : noise_.at(index, key, low_rank, random.noise);
    double s = corrupted(index, key, random) ? error_value(key, random) : 0;
    entries[k] = low_rank + s + noise;
    // Counts are whole numbers, but for rounding.
    if (options_.noise_model == NoiseKind::poisson) entries[k] = std::round(entries[k]);
    if (!damage_.none()) {
      const double damaged = damage_.applied(index, key, entries[k], noise, random.damage);
      if (damaged != entries[k]) s = damaged - low_rank - noise;
      entries[k] = damaged;
    }
    if (s == 0) continue;
    sparse.positions.push_back(position);
    sparse.values.push_back(s);
  }
}

void EntryModel::prepare_saturation(const CpModel& low_rank) {
  if (options_.saturate_low <= 0 && options_.saturate_high >= 1) return;
  Rng random = stream(options_.seed, Purpose::saturation);
  const Index entries = options_.shape.entries();
  const Index count = std::min(entries, saturation_sample);
  std::vector<double> values;
  for (Index k = 0; k < count; ++k) {
    const Index position = static_cast<Index>(random.below(static_cast<std::uint64_t>(entries)));
    const ModeIndices index = options_.shape.unravel(position);
    double value = low_rank.entry(
        std::span<const Index>(index.data(), static_cast<std::size_t>(options_.shape.order())));
    SparseRun unused;
    apply(position, {&value, 1}, unused);
    if (!std::isnan(value)) values.push_back(value);
  }
  if (values.empty()) return;
  std::sort(values.begin(), values.end());
  const auto quantile = [&](double share) {
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
  };
  damage_.saturate(options_.saturate_low > 0 ? quantile(options_.saturate_low)
                                             : -std::numeric_limits<double>::infinity(),
                   options_.saturate_high < 1 ? quantile(options_.saturate_high)
                                              : std::numeric_limits<double>::infinity());
}

}  // namespace sunder
